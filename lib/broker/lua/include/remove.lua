-- Deletes one job for good, from any state but in-flight. A script that includes this goes on with forget(), for all that it was
-- true for, and ends with book_dead() and book_driven(). False when there is no such job.
--@include row
--@include held
--@include unique
--@include driven
--@include unbury
--@include forget
-- What is to be remembered of those that were removed; see forget().
local left = {}
local function remove_one(id, row)
  local _, _, _, jobType, tenant, unique = header(row or '')
  -- A completed job's size is on the books.
  local result = redis.call('ZSCORE', K_completed, id) and redis.call('HGET', K_results, id)
  if result then redis.call('HINCRBY', K_counters, 'completedBytes', -size_of(result)) end
  local removed = redis.call('ZREM', K_ready, id) + redis.call('ZREM', K_scheduled, id) + redis.call('ZREM', K_retry, id)
    + redis.call('ZREM', K_completed, id) + redis.call('ZREM', K_suppressed, id) + redis.call('ZREM', K_trash, id) > 0
  if not (removed or unhold(id, jobType or 'unknown', tenant or 'unknown') or unbury(id)) then return false end
  redis.call('ZREM', K_waiting, id)
  settle_driven(id, 'deleted')
  free_unique(unique, id, 'cd')
  left[#left + 1], left[#left + 2] = id, trace_of(token_end(result and string.match(result, '^(%S+)') or '-'), tenant)
  return true
end
