-- Stops jobs that have not ended: dead, class `cancelled`, from where they can be re-driven. See include/cancel.lua.
-- KEYS: jobs ready waiting scheduled retry held heldBy inflight claims attempts dead deadBy deaths deadCounts groups driven operations history unique uniqueUntil config running throttled counters minutes wake events audit
-- ARGV: clock, json (who and why), tenants that are meant (separated by spaces; empty: all), then ids
-- REPLY: per job: 1 cancelled, 0 in another state, -1 no such job
--@include count
--@include emit
--@include cancel
--@include record-jobs
--@include only
local replies, died = {}, {}
for i = 4, #ARGV do
  local id = ARGV[i]
  local row = redis.call('HGET', K_jobs, id)
  if cancel_one(id, row, ARGV[2]) then
    died[#died + 1] = id
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = row and 0 or -1
  end
end
book_slots()
book_deaths()
if #died > 0 then
  count('dead', #died)
  emit('dead', died)
end
record_jobs('job.cancel', ARGV[2], died)
return replies
