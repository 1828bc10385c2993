-- Brings trashed or suppressed jobs back to the dead-letter queue, as of when they died.
-- KEYS: jobs attempts dead deadBy deaths deadCounts suppressed trash history events audit
-- ARGV: clock, json (who and why), tenants that are meant (separated by spaces; empty: all), then ids
-- REPLY: per job: 1 restored, 0 in another state
--@include now
--@include emit
--@include found-in
--@include logs-of
--@include restore
--@include record-jobs
--@include only
local found, ids = found_in({ K_trash, K_suppressed }, 4)
local replies = {}
for i = 4, #ARGV do replies[#replies + 1] = found[i - 3] and 1 or 0 end
restore_all(ids, logs_of(ids, math.huge), ARGV[2])
book_dead()
if #ids > 0 then emit('restored', ids) end
record_jobs('job.restore', ARGV[2], ids)
return replies
