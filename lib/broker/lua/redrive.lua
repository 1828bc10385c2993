-- Puts dead or suppressed jobs back to ready. A second call for the same job finds it gone from there and does nothing.
-- KEYS: jobs ready waiting attempts dead deadBy deaths deadCounts suppressed history unique uniqueUntil fair limits config counters minutes events wake audit
-- ARGV: clock, json (who and why), tenants that are meant (separated by spaces; empty: all), then ids
-- REPLY: per job: 1 ready, 0 in another state, -1 no such job, -2 its deadline has passed, -3 its row is unreadable, -4 another job has its uniqueness key
--@include count
--@include emit
--@include wake
--@include found-in
--@include rows-of
--@include picked
--@include redrive
--@include record-jobs
--@include only
local CODES = { missing = -1, ['deadline-passed'] = -2, unreadable = -3, ['not-unique'] = -4 }
local found, ids = found_in({ K_dead, K_suppressed }, 4)
local rows, logs = rows_of(ids, math.huge)
local deaths = deaths_of(ids)
local keys, replies, going, n = {}, {}, {}, 0
for i = 4, #ARGV do
  if found[i - 3] then
    n = n + 1
    local refusal = not rows[n] and 'missing' or redrive_refusal(ids[n], rows[n], keys)
    if not refusal then going[#going + 1] = n end
    replies[#replies + 1] = refusal and CODES[refusal] or 1
  else
    replies[#replies + 1] = redis.call('HEXISTS', K_jobs, ARGV[i]) - 1
  end
end
local moved = picked(ids, going)
redrive_all(moved, picked(logs, going), picked(deaths, going), 'redriven', ARGV[2])
book_dead()
if #moved > 0 then
  count('redriven', #moved)
  emit('redriven', moved)
  wake()
end
record_jobs('job.redrive', ARGV[2], moved)
return replies
