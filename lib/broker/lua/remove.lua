-- Deletes jobs for good, from any state but in-flight: a running job is cancelled first.
-- KEYS: jobs ready waiting scheduled retry held heldBy inflight attempts completed dead deadBy deaths suppressed trash history results unique uniqueUntil counters minutes events changes
-- ARGV: clock, json (who and why), then ids
-- REPLY: per job: 1 deleted, 0 in flight, -1 no such job
--@include count
--@include emit
--@include held
--@include unique
--@include bury
--@include unbury
--@include forget
--@include record
-- A removal comes first, even of nothing: deleting must work just when memory is full.
redis.call('ZREM', K_ready, '')
local replies, gone = {}, {}
for i = 3, #ARGV do
  local id = ARGV[i]
  if redis.call('ZSCORE', K_inflight, id) then
    replies[#replies + 1] = 0
  else
    local row = redis.call('HGET', K_jobs, id)
    local jobType, tenant = type_and_tenant(row)
    local _, _, _, _, _, unique = header(row or '')
    -- A completed job's size is on the books.
    local result = redis.call('ZSCORE', K_completed, id) and redis.call('HGET', K_results, id)
    if result then redis.call('HINCRBY', K_counters, 'completedBytes', -size_of(result)) end
    local removed = redis.call('ZREM', K_ready, id) + redis.call('ZREM', K_scheduled, id) + redis.call('ZREM', K_retry, id)
      + redis.call('ZREM', K_completed, id) + redis.call('ZREM', K_suppressed, id) + redis.call('ZREM', K_trash, id) > 0
    if removed or unhold(id, jobType, tenant) or unbury(id, row) then
      redis.call('ZREM', K_waiting, id)
      free_unique(unique, id, 'cd')
      gone[#gone + 1] = id
      replies[#replies + 1] = 1
    else
      replies[#replies + 1] = -1
    end
  end
end
if #gone > 0 then
  forget(gone)
  emit('deleted', gone)
  -- Nothing else is left of them to say who did it.
  record('delete', ARGV[2], #gone .. ' jobs', table.concat(gone, ' ', 1, math.min(#gone, 20)))
end
return replies
