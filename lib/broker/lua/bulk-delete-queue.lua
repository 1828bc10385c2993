-- Deletes a shard of a queue with all that is in it, in one step: keys are unlinked, so Redis frees their memory beside its work.
-- What waits for the audit log stays, and of a sharded queue how it is sharded: a producer that knew it must not enter jobs where nobody
-- looks for them. How far the operation is, is entered anew, so whoever comes again deletes nothing that came in since.
-- Which batches came from other queues stays, or they would come again, and so do the fences of schedules.
-- KEYS: jobs ready waiting inflight claims calls callEnds scheduled retry held heldBy attempts history dead deadBy deaths deadCounts groups suppressed trash completed results config pauses pauseShares limits running throttled fair unique uniqueUntil changes audit counters minutes wake events operations driven outcomes finished finishedBefore
-- ARGV: clock, op, when the lease of its runner ends
-- REPLY: of a chunk, see include/chunk.lua; 'late': the lease is over, and it may be another queue by now; 'leaving': jobs are on their way to another queue
--@include progress
load_progress()
if progress.status ~= 'running' then return progress_reply(false, 0) end
if now >= tonumber(ARGV[3]) then return 'late' end
local arrivals, cursor = {}, '0'
-- Fields of the latest 500 operations.
for _ = 1, 100 do
  local found = redis.call('HSCAN', K_operations, cursor, 'COUNT', 500)
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
local window = math.max(tonumber(redis.call('HGET', K_config, 'resendWindowMs') or 0), 600000)
local jobs, kept = redis.call('HLEN', K_jobs), redis.call('HMGET', K_config, 'sharding', 'redact')
redis.call('UNLINK', K_jobs, K_ready, K_waiting, K_inflight, K_claims, K_calls, K_callEnds, K_scheduled, K_retry, K_held, K_heldBy,
  K_attempts, K_history, K_dead, K_deadBy, K_deaths, K_deadCounts, K_groups, K_suppressed, K_trash, K_completed, K_results,
  K_config, K_pauses, K_pauseShares, K_limits, K_running, K_throttled, K_fair, K_unique, K_uniqueUntil, K_changes,
  K_counters, K_minutes, K_wake, K_events, K_operations, K_driven, K_outcomes, K_finished, K_finishedBefore)
progress.moved, progress.scanned, progress.status = progress.moved + jobs, progress.scanned + jobs, 'done'
-- The ids of jobs that ran before are gone: sending one of them again must not create the queue anew.
redis.call('HSET', K_finishedBefore, '.since', now)
redis.call('PEXPIRE', K_finishedBefore, window)
-- What schedules and producers of that name go on to send stays hidden.
for i, field in ipairs({ 'sharding', 'redact' }) do
  if kept[i] then redis.call('HSET', K_config, field, kept[i]) end
end
for i = 1, #arrivals, 2 do redis.call('HSET', K_operations, arrivals[i], arrivals[i + 1]) end
save_progress()
return progress_reply(true, 0)
