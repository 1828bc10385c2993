-- A lease was lost: back to its old order, or, once its deliveries or attempts are used up, dead as `crash`.
-- The script has removed the job from `inflight` and `claims`. `claim` is nil when the claims row had vanished.
local attempt_row = require('rows.attempt_row')
local capacity = require('claims.capacity')
local history_log = require('rows.history_log')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local function apply(id, claim, code, json)
  local row = redis.call('HGET', keys.jobs, id)
  local priority, max, _, _, tenant = job_row.parse(row or '')
  capacity.leave(claim and claim.tenant or tenant or 'unknown')
  if not row then
    queue.count('deleted', 1)
    local dead_letters = require('dead.dead_letters')
    dead_letters.drop(id)
    return 'gone'
  end
  if not claim then
    local attempt, deliveries, losses, redrives = attempt_row.parse(redis.call('HGET', keys.attempts, id))
    claim = { deliveries = deliveries, worker = 'unknown', claimedAt = '0', attempt = attempt,
      losses = losses, redrives = redrives, score = nil }
  end
  local losses = claim.losses + 1
  attempt_row.save(id, claim.attempt, claim.deliveries, losses, claim.redrives, '-')
  local limit = tonumber(redis.call('HGET', keys.config, 'maxDeliveries') or 5)
  if not priority or losses >= limit or tonumber(claim.attempt) >= tonumber(max) then
    history_log.add(id, 'lost', claim.deliveries, claim.claimedAt, claim.worker, 'crash', code, json)
    history_log.add(id, 'dead', claim.deliveries, claim.claimedAt, claim.worker, 'crash', code, json)
    local dead_letters = require('dead.dead_letters')
    dead_letters.add(id, row, 'crash', code, claim.attempt, '')
    queue.count('dead', 1)
    return 'dead'
  end
  history_log.add(id, 'lost', claim.deliveries, claim.claimedAt, claim.worker, 'crash', code, json)
  if claim.score then
    redis.call('ZADD', keys.ready, claim.score, id)
    redis.call('ZADD', keys.waiting, queue.now, id)
  else
    local ready_order = require('jobs.ready_order')
    ready_order.append({ id })
  end
  return 'ready'
end
return { apply = apply }
