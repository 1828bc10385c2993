-- Stops one job that has not ended. A running one loses its claim, so its worker's next heartbeat aborts the handler and its ack
-- is refused. A script that includes this ends with book_slots() and book_deaths(). False when it is in none of these states.
--@include row
--@include claims
--@include attempts
--@include held
--@include history
--@include running
--@include bury
local function cancel_one(id, row, json, op)
  local _, _, _, jobType, tenant = header(row or '')
  jobType, tenant = jobType or 'unknown', tenant or 'unknown'
  local delivery, claimedAt, worker, attempt = 0, 0, '-', nil
  local found = redis.call('ZREM', K_ready, id) + redis.call('ZREM', K_scheduled, id) + redis.call('ZREM', K_retry, id) > 0
    or unhold(id, jobType, tenant)
  if not found and redis.call('ZREM', K_inflight, id) > 0 then
    found = true
    local held = redis.call('HGET', K_claims, id)
    redis.call('HDEL', K_claims, id)
    local claim = held and claim_of(held)
    leaves_flight(claim and claim.tenant or tenant)
    if claim then
      delivery, claimedAt, worker, attempt = claim.deliveries, claim.claimedAt, claim.worker, claim.attempt
      set_tries(id, claim.attempt, claim.deliveries, claim.losses, claim.redrives, '-')
    end
  end
  if not found then return false end
  redis.call('ZREM', K_waiting, id)
  remember(id, 'dead', delivery, claimedAt, worker, 'cancelled', 'CANCELLED', json)
  bury(id, row, 'cancelled', 'CANCELLED', attempt or tries(redis.call('HGET', K_attempts, id)), '-', op)
  return true
end
