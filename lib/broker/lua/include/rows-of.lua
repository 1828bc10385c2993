-- The rows of several jobs at once, by place: those of `jobs`, and of `history`. Beyond `most` bytes no more are read, so that a
-- step over large ones does not keep others waiting for Redis. Answers how many were read, too.
local function rows_of(ids, most)
  local rows, logs, bytes, taken = {}, {}, 0, 0
  for _ = 1, #ids do
    if taken == #ids or bytes > most then break end
    -- How large they are is only seen when they are read: the first few tell.
    local each = taken == 0 and 4 or math.max(1, math.min(10, math.floor((most - bytes) * taken / (bytes + 1))))
    local from = taken + 1
    taken = math.min(taken + each, #ids)
    local some = redis.call('HMGET', K_jobs, unpack(ids, from, taken))
    local told = redis.call('HMGET', K_history, unpack(ids, from, taken))
    for i = from, taken do
      local row, log = some[i - from + 1], told[i - from + 1]
      rows[i], logs[i] = row, log
      bytes = bytes + (row and #row or 0) + (log and 2 * #log or 0)
    end
  end
  return rows, logs, taken
end
