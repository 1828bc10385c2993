-- The histories of several jobs, by their index in `ids`; see rows() below.
local keys = require('keys')
-- How large they are is only seen when they are read: the first few tell how many more may be read in one command.
local function at_once(taken, bytes, most)
  return taken == 0 and 4 or math.max(1, math.min(20, math.floor((most - bytes) / 4 * taken / (bytes + 1))))
end
local function histories(ids, most)
  local logs, bytes, taken = {}, 0, 0
  for _ = 1, #ids do
    if taken == #ids or bytes > most then break end
    local from = taken + 1
    taken = math.min(taken + at_once(taken, bytes, most), #ids)
    local told = redis.call('HMGET', keys.history, unpack(ids, from, taken))
    for i = from, taken do
      logs[i] = told[i - from + 1]
      bytes = bytes + (logs[i] and 2 * #logs[i] or 0)
    end
  end
  return logs, taken
end
-- The rows and histories of several jobs, by their index in `ids`, and how many were read. Beyond `most` bytes it stops, so that
-- large jobs do not block Redis.
local function rows(ids, most)
  local rows, logs, bytes, taken = {}, {}, 0, 0
  for _ = 1, #ids do
    if taken == #ids or bytes > most then break end
    local from = taken + 1
    taken = math.min(taken + at_once(taken, bytes, most), #ids)
    local some = redis.call('HMGET', keys.jobs, unpack(ids, from, taken))
    local told = redis.call('HMGET', keys.history, unpack(ids, from, taken))
    for i = from, taken do
      local row, log = some[i - from + 1], told[i - from + 1]
      rows[i], logs[i] = row, log
      bytes = bytes + (row and #row or 0) + (log and 2 * #log or 0)
    end
  end
  return rows, logs, taken
end
-- Some entries of a list, in their order.
local function pick(all, at)
  if #at == #all then return all end
  local some = {}
  for i = 1, #at do some[i] = all[at[i]] end
  return some
end
return { histories = histories, rows = rows, pick = pick }
