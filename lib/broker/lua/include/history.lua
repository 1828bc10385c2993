-- history: one line an event, "<at> <kind> <delivery> <claimedAt> <worker> <class> <code> <json>", newest last.
-- Bounded: 20 lines and 16 KiB a job, oldest dropped first.
-- A search for a plain text goes through a line far faster than a pattern does.
local function breaks_in(text)
  local n, at = 0, 0
  for _ = 1, #text do
    at = string.find(text, '\n', at + 1, true)
    if not at then break end
    n = n + 1
  end
  return n
end
local function with_line(old, line)
  if old then
    local breaks = breaks_in(old)
    while old and (breaks + 2 > 20 or #old + 1 + #line > 16384) do
      local cut = string.find(old, '\n', 1, true)
      old = cut and string.sub(old, cut + 1)
      breaks = breaks - 1
    end
    if old then line = old .. '\n' .. line end
  end
  return line
end
local function add_history(id, old, line)
  redis.call('HSET', K_history, id, with_line(old, line))
end
local function history_line(kind, delivery, claimedAt, worker, class, code, json)
  return now .. ' ' .. kind .. ' ' .. delivery .. ' ' .. claimedAt .. ' ' .. worker .. ' ' .. class .. ' ' .. code .. ' ' .. json
end
local function remember(id, kind, delivery, claimedAt, worker, class, code, json)
  add_history(id, redis.call('HGET', K_history, id), history_line(kind, delivery, claimedAt, worker, class, code, json))
end
-- The same line for several jobs, whose `logs` were read before.
local function remember_all(ids, logs, line)
  local rows = {}
  for i = 1, #ids do
    rows[2 * i - 1], rows[2 * i] = ids[i], with_line(logs[i], line)
  end
  if #rows > 0 then redis.call('HSET', K_history, unpack(rows)) end
end
