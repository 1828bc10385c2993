-- Deletes jobs for good, from any state but in-flight: a running job is cancelled first.
-- KEYS: jobs ready waiting scheduled retry held heldBy inflight attempts completed finished finishedBefore dead deadBy deaths deadCounts driven operations suppressed trash history results unique uniqueUntil config counters minutes events changes audit
-- ARGV: clock, json (who and why), tenants that are meant (separated by spaces; empty: all), then ids
-- REPLY: per job: 1 deleted, 0 in flight, -1 no such job
--@include count
--@include emit
--@include remove
--@include record-jobs
--@include change
--@include only
-- A removal comes first, even of nothing: deleting must work just when memory is full.
redis.call('ZREM', K_ready, '')
local replies, gone = {}, {}
for i = 4, #ARGV do
  local id = ARGV[i]
  if redis.call('ZSCORE', K_inflight, id) then
    replies[#replies + 1] = 0
  elseif remove_one(id, redis.call('HGET', K_jobs, id)) then
    gone[#gone + 1] = id
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = -1
  end
end
book_dead()
book_driven()
if #gone > 0 then
  forget(gone, left)
  emit('deleted', gone)
  -- Nothing else is left of them to say who did it.
  enter_change('delete', ARGV[2], #gone .. ' jobs', table.concat(gone, ' ', 1, math.min(#gone, 20)))
end
record_jobs('job.remove', ARGV[2], gone)
return replies
