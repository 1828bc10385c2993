-- Deletes a shard of a queue with all that is in it, in one step: keys are unlinked, so Redis frees their memory beside its work.
-- What waits for the audit log stays, and of a sharded queue how it is sharded: a producer that knew it must not enter jobs that are
-- never read. How far the operation is, is entered anew, so a second runner deletes nothing that came in since.
-- Which batches came from other queues stays, or they would come again, and so do the fences of schedules.
-- KEYS: jobs ready waiting inflight claims calls callEnds scheduled retry held heldBy attempts history dead deadBy deaths deadCounts groups suppressed trash completed results config pauses pauseShares limits running throttled fair unique uniqueUntil idempotency idempotencyDue changes audit counters minutes minuteRows minuteBlocks tenMinuteRows workerCounts tallies wake events operations redriven outcomes finished finishedBefore
-- ARGV: clock, op, when the lease of its runner ends
-- REPLY: of a chunk, see operations/chunk.lua; 'late': the lease is over, and it may be another queue by now; 'leaving': jobs are on their way to another queue
local clock = require('redis.clock')
local keys = require('keys')
local op_progress = require('operations.op_progress')
op_progress.read()
if op_progress.state.status ~= 'running' then return op_progress.reply(false, 0) end
if clock.now >= tonumber(ARGV[3]) then return 'late' end
local arrivals, cursor = {}, '0'
-- Fields of the operations that Redis keeps.
for _ = 1, 100 do
  local found = redis.call('HSCAN', keys.operations, cursor, 'COUNT', 500)
  for i = 1, #found[2], 2 do
    local field = found[2][i]
    if string.find(field, ' outbox', 1, true) then return 'leaving' end
    if string.find(field, ' from ', 1, true) then
      arrivals[#arrivals + 1] = field
      arrivals[#arrivals + 1] = found[2][i + 1]
    end
  end
  cursor = found[1]
  if cursor == '0' then break end
end
local window = math.max(tonumber(redis.call('HGET', keys.config, 'resendWindowMs') or 0), 600000)
local jobs, kept = redis.call('HLEN', keys.jobs), redis.call('HMGET', keys.config, 'sharding', 'redact')
redis.call('UNLINK', keys.jobs, keys.ready, keys.waiting, keys.inflight, keys.claims, keys.calls, keys.callEnds, keys.scheduled, keys.retry, keys.held, keys.heldBy,
  keys.attempts, keys.history, keys.dead, keys.deadBy, keys.deaths, keys.deadCounts, keys.groups, keys.suppressed, keys.trash, keys.completed, keys.results,
  keys.config, keys.pauses, keys.pauseShares, keys.limits, keys.running, keys.throttled, keys.fair, keys.unique, keys.uniqueUntil, keys.idempotency, keys.idempotencyDue, keys.changes,
  keys.counters, keys.minutes, keys.minuteRows, keys.minuteBlocks, keys.tenMinuteRows, keys.workerCounts, keys.tallies, keys.wake, keys.events, keys.operations, keys.redriven, keys.outcomes, keys.finished, keys.finishedBefore)
op_progress.state.moved, op_progress.state.scanned, op_progress.state.status = op_progress.state.moved + jobs, op_progress.state.scanned + jobs, 'done'
-- The ids of jobs that ran before are gone: sending one of them again must not create the queue anew.
redis.call('HSET', keys.finishedBefore, '.since', clock.now)
redis.call('PEXPIRE', keys.finishedBefore, window)
-- What schedules and producers of that name go on to send stays hidden.
for i, field in ipairs({ 'sharding', 'redact' }) do
  if kept[i] then redis.call('HSET', keys.config, field, kept[i]) end
end
for i = 1, #arrivals, 2 do redis.call('HSET', keys.operations, arrivals[i], arrivals[i + 1]) end
op_progress.save()
return op_progress.reply(true, 0)
