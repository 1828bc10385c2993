-- Ends claimed runs that failed: to `retry` after the caller's backoff, or dead when another run cannot or may not help.
-- KEYS: jobs ready inflight claims attempts retry dead deadBy deaths history unique uniqueUntil config running throttled counters minutes wake events
-- ARGV: clock, then per job: id, token, delay in ms (-1: never again), class, code, json
-- REPLY: per job: 1 retry, 2 dead, 3 already recorded by this token, 0 stale
--@include count
--@include emit
--@include claims
--@include attempts
--@include row
--@include history
--@include unique
--@include running
--@include bury
local replies, retried, died = {}, {}, {}
for i = 2, #ARGV, 6 do
  local id, token, delay, class, code, json = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3], ARGV[i + 4], ARGV[i + 5]
  local held = redis.call('HGET', K_claims, id)
  if not (holds(held, token) and claim_of(held)) then
    local _, _, _, _, last = tries(redis.call('HGET', K_attempts, id))
    replies[#replies + 1] = last == token and 3 or 0
  else
    local claim = claim_of(held)
    local row = redis.call('HGET', K_jobs, id)
    redis.call('ZREM', K_inflight, id)
    redis.call('HDEL', K_claims, id)
    leaves_flight(claim.tenant)
    if not row then
      count('deleted', 1)
      replies[#replies + 1] = 0
    else
      local priority, max, deadline, jobType, tenant = header(row)
      local due = now + delay
      local tooLate = tonumber(deadline or 0) > 0 and due > tonumber(deadline or 0)
      set_tries(id, claim.attempt, claim.deliveries, claim.losses, claim.redrives, claim.token)
      if priority and delay >= 0 and claim.attempt < tonumber(max) and not tooLate then
        redis.call('ZADD', K_retry, due, id)
        remember(id, 'failed', claim.deliveries, claim.claimedAt, claim.worker, class, code, json)
        retried[#retried + 1] = id
        replies[#replies + 1] = 1
      else
        if delay >= 0 and tooLate then class = 'deadline' end
        remember(id, 'dead', claim.deliveries, claim.claimedAt, claim.worker, class, code, json)
        bury(id, jobType or 'unknown', tenant or 'unknown', class, code, claim.unique)
        died[#died + 1] = id
        replies[#replies + 1] = 2
      end
    end
  end
end
book_slots()
if #retried + #died > 0 then count('failed', #retried + #died) end
if #retried > 0 then
  redis.call('HINCRBY', K_counters, 'retried', #retried)
  emit('retry', retried)
end
if #died > 0 then
  count('dead', #died)
  emit('dead', died)
end
return replies
