-- Stops jobs that have not ended: dead, class `cancelled`, from where they can be re-driven. A running one loses its
-- claim, so its worker's next heartbeat aborts the handler and its ack is refused.
-- KEYS: jobs ready waiting scheduled retry held heldBy inflight claims attempts dead deadBy deaths history unique uniqueUntil config running throttled counters minutes wake events
-- ARGV: clock, json (who and why), then ids
-- REPLY: per job: 1 cancelled, 0 in another state, -1 no such job
--@include count
--@include emit
--@include row
--@include claims
--@include attempts
--@include held
--@include history
--@include unique
--@include running
--@include bury
local replies, died = {}, {}
for i = 3, #ARGV do
  local id = ARGV[i]
  local row = redis.call('HGET', K_jobs, id)
  local _, _, _, jobType, tenant, unique = header(row or '')
  jobType, tenant = jobType or 'unknown', tenant or 'unknown'
  local delivery, claimedAt, worker = 0, 0, '-'
  local found = redis.call('ZREM', K_ready, id) + redis.call('ZREM', K_scheduled, id) + redis.call('ZREM', K_retry, id) > 0
    or unhold(id, jobType, tenant)
  if not found and redis.call('ZREM', K_inflight, id) > 0 then
    found = true
    local held = redis.call('HGET', K_claims, id)
    redis.call('HDEL', K_claims, id)
    local claim = held and claim_of(held)
    leaves_flight(claim and claim.tenant or tenant)
    if claim then
      delivery, claimedAt, worker = claim.deliveries, claim.claimedAt, claim.worker
      set_tries(id, claim.attempt, claim.deliveries, claim.losses, claim.redrives, '-')
    end
  end
  if found then
    redis.call('ZREM', K_waiting, id)
    remember(id, 'dead', delivery, claimedAt, worker, 'cancelled', 'CANCELLED', ARGV[2])
    bury(id, jobType, tenant, 'cancelled', 'CANCELLED', unique)
    died[#died + 1] = id
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = row and 0 or -1
  end
end
book_slots()
if #died > 0 then
  count('dead', #died)
  emit('dead', died)
end
return replies
