-- A lease was lost: back to its old place in line, or, once its deliveries or attempts are used up, dead as `crash`.
-- The caller has removed the job from `inflight` and `claims`, and ends with book_deaths(). `claim` is nil when the claims row had vanished.
local function lose(id, claim, code, json)
  local row = redis.call('HGET', K_jobs, id)
  local priority, max, _, _, tenant = header(row or '')
  leaves_flight(claim and claim.tenant or tenant or 'unknown')
  if not row then
    count('deleted', 1)
    settle_driven(id, 'deleted')
    return 'gone'
  end
  if not claim then
    local attempt, deliveries, losses, redrives = tries(redis.call('HGET', K_attempts, id))
    claim = { deliveries = deliveries, worker = 'unknown', claimedAt = 0, attempt = attempt,
      losses = losses, redrives = redrives, score = nil }
  end
  local losses = claim.losses + 1
  set_tries(id, claim.attempt, claim.deliveries, losses, claim.redrives, '-')
  local limit = tonumber(redis.call('HGET', K_config, 'maxDeliveries') or 5)
  if not priority or losses >= limit or claim.attempt >= tonumber(max) then
    remember(id, 'lost', claim.deliveries, claim.claimedAt, claim.worker, 'crash', code, json)
    remember(id, 'dead', claim.deliveries, claim.claimedAt, claim.worker, 'crash', code, json)
    bury(id, row, 'crash', code, claim.attempt, '-')
    count('dead', 1)
    return 'dead'
  end
  remember(id, 'lost', claim.deliveries, claim.claimedAt, claim.worker, 'crash', code, json)
  if claim.score then
    redis.call('ZADD', K_ready, claim.score, id)
    redis.call('ZADD', K_waiting, now, id)
  else
    make_ready({ id })
  end
  return 'ready'
end
