-- Moves dead or suppressed jobs to the trash, from where they can be restored until their grace ends.
-- KEYS: dead deadBy deaths deadCounts suppressed trash history events audit
-- ARGV: clock, json (who and why), then ids
-- REPLY: per job: 1 moved, 0 in another state
--@include now
--@include emit
--@include found-in
--@include logs-of
--@include shelve
--@include record-jobs
local found, ids = found_in({ K_dead, K_suppressed }, 3)
local replies = {}
for i = 3, #ARGV do replies[#replies + 1] = found[i - 2] and 1 or 0 end
shelve_all(ids, logs_of(ids, math.huge), K_trash, 'purged', ARGV[2])
book_dead()
if #ids > 0 then emit('purged', ids) end
record_jobs('job.purge', ARGV[2], ids)
return replies
