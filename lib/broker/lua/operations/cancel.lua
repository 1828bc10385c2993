-- Stops jobs that have not ended: dead, class `cancelled`, from where they can be re-driven. A running one loses its claim, so its worker's
-- next heartbeat aborts the handler and its ack is refused.
-- KEYS: jobs ready waiting scheduled retry held heldBy inflight claims attempts dead deadBy deaths deadCounts groups redriven history unique uniqueUntil config limits running throttled counters minutes tallies wake events changes audit operations
-- ARGV: of a chunk (chunk.lua) or of named jobs (selection.lua)
-- REPLY: of a chunk; or per named job: 1 cancelled, 0 in another state, -1 no such job
local attempt_row = require('rows.attempt_row')
local capacity = require('claims.capacity')
local claim_row = require('rows.claim_row')
local dead_letters = require('dead.dead_letters')
local held_jobs = require('jobs.held_jobs')
local history_log = require('rows.history_log')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local selection = require('operations.selection')
-- False when it is in none of these states.
local function cancel(id, row, json, op)
  local _, _, _, jobType, tenant = job_row.parse(row or '')
  jobType, tenant = jobType or 'unknown', tenant or 'unknown'
  local delivery, claimedAt, worker, attempt = 0, 0, '-', nil
  local found = redis.call('ZREM', keys.ready, id) + redis.call('ZREM', keys.scheduled, id) + redis.call('ZREM', keys.retry, id) > 0
    or held_jobs.remove(id, jobType, tenant)
  if not found and redis.call('ZREM', keys.inflight, id) > 0 then
    found = true
    local held = redis.call('HGET', keys.claims, id)
    redis.call('HDEL', keys.claims, id)
    local claim = held and claim_row.parse(held)
    capacity.leave(claim and claim.tenant or tenant)
    if claim then
      delivery, claimedAt, worker, attempt = claim.deliveries, claim.claimedAt, claim.worker, claim.attempt
      attempt_row.save(id, claim.attempt, claim.deliveries, claim.losses, claim.redrives, '-')
    end
  end
  if not found then return false end
  redis.call('ZREM', keys.waiting, id)
  history_log.add(id, 'dead', delivery, claimedAt, worker, 'cancelled', 'CANCELLED', json)
  dead_letters.add(id, row, 'cancelled', 'CANCELLED', attempt or attempt_row.parse(redis.call('HGET', keys.attempts, id)), '-', op)
  return true
end
local function still_claimed(ids, taken)
  local chunk = require('operations.chunk')
  return chunk.still_claimed(ids, taken)
end
local jobs = selection.open({ 'ready', keys.ready, 'scheduled', keys.scheduled, 'retry', keys.retry, 'held', keys.held,
  'in-flight', keys.inflight }, true, still_claimed)
if not jobs then return queue.commit(selection.refused()) end
local died = {}
for i = 1, #jobs.ids do
  if cancel(jobs.ids[i], jobs.rows[i], jobs.by, jobs.op) then died[#died + 1] = jobs.ids[i] else selection.skip(jobs, i, 'changed') end
end
if #died > 0 then queue.count('dead', #died) end
return queue.commit(selection.finish(jobs, 'dead', died, function(id) return redis.call('HEXISTS', keys.jobs, id) - 1 end))
