-- Moves dead or suppressed jobs to the trash, from where they can be restored until their grace ends.
-- KEYS: jobs dead deadBy deaths deadCounts suppressed trash history events audit
-- ARGV: clock, json (who and why), tenants that are meant (separated by spaces; empty: all), then ids
-- REPLY: per job: 1 moved, 0 in another state
--@include now
--@include emit
--@include found-in
--@include logs-of
--@include shelve
--@include record-jobs
--@include only
local found, ids = found_in({ K_dead, K_suppressed }, 4)
local replies = {}
for i = 4, #ARGV do replies[#replies + 1] = found[i - 3] and 1 or 0 end
shelve_all(ids, logs_of(ids, math.huge), K_trash, 'purged', ARGV[2])
book_dead()
if #ids > 0 then emit('purged', ids) end
record_jobs('job.purge', ARGV[2], ids)
return replies
