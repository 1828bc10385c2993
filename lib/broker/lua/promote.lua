-- Makes scheduled or retrying jobs ready now, because a person said so.
-- KEYS: jobs ready waiting scheduled retry history fair limits config counters events wake audit
-- ARGV: clock, json (who and why), tenants that are meant (separated by spaces; empty: all), then ids
-- REPLY: per job: 1 ready, 0 in another state
--@include now
--@include emit
--@include wake
--@include found-in
--@include rows-of
--@include promote
--@include record-jobs
--@include only
local found, ids = found_in({ K_scheduled, K_retry }, 4)
local replies = {}
for i = 4, #ARGV do replies[#replies + 1] = found[i - 3] and 1 or 0 end
local rows, logs = rows_of(ids, math.huge)
promote_all(ids, rows, logs, ARGV[2])
if #ids > 0 then
  emit('promoted', ids)
  wake()
end
record_jobs('job.promote', ARGV[2], ids)
return replies
