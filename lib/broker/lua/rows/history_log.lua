-- history: one line an event, "<at> <kind> <delivery> <claimedAt> <worker> <class> <code> <json>", newest last.
-- Bounded: 20 lines and 16 KiB a job, oldest dropped first.
-- A search for a plain text goes through a line far faster than a pattern does.
local clock = require('redis.clock')
local keys = require('keys')
local function count_breaks(text)
  local n, at = 0, 0
  for _ = 1, #text do
    at = string.find(text, '\n', at + 1, true)
    if not at then break end
    n = n + 1
  end
  return n
end
local function append(old, line)
  if old then
    local breaks = count_breaks(old)
    while old and (breaks + 2 > 20 or #old + 1 + #line > 16384) do
      local cut = string.find(old, '\n', 1, true)
      old = cut and string.sub(old, cut + 1)
      breaks = breaks - 1
    end
    if old then line = old .. '\n' .. line end
  end
  return line
end
local function format(kind, delivery, claimedAt, worker, class, code, json)
  return clock.text .. ' ' .. kind .. ' ' .. delivery .. ' ' .. claimedAt .. ' ' .. worker .. ' ' .. class .. ' ' .. code .. ' ' .. json
end
local function add(id, kind, delivery, claimedAt, worker, class, code, json)
  local log = redis.call('HGET', keys.history, id)
  redis.call('HSET', keys.history, id, append(log, format(kind, delivery, claimedAt, worker, class, code, json)))
end
-- The same line for several jobs, whose `logs` were read before.
local function add_all(ids, logs, line)
  local rows = {}
  for i = 1, #ids do
    rows[2 * i - 1], rows[2 * i] = ids[i], append(logs[i], line)
  end
  if #rows > 0 then redis.call('HSET', keys.history, unpack(rows)) end
end
-- Where the last line of a log begins. Most logs have one line, in which a pattern would look for the end of another at every letter.
local function last_entry_at(log)
  return string.find(log, '\n', 1, true) and string.match(log, '^.*\n()') or 1
end
-- The newest line with an error; '' without one. Behind a death may stand what users did with the dead job.
local function last_error(log)
  local rest = log
  for _ = 1, 20 do
    local start = last_entry_at(rest)
    local class = string.match(rest, '^%d+ %S+ %d+ %d+ %S+ (%S+) ', start)
    if class and class ~= '-' then return string.sub(rest, start) end
    if start == 1 then break end
    rest = string.sub(rest, 1, start - 2)
  end
  return ''
end
-- A job given back again and again (its breaker is open for hours) has one line for it, the newest: the rest of its history is
-- for what really happened to it. The delivery in it tells how often.
local function append_release(old, claim)
  local from = old and (string.match(old, '^.*\n()') or 1)
  if from and string.find(old, '^%d+ released ', from) then old = from > 1 and string.sub(old, 1, from - 2) or nil end
  return append(old, format('released', claim.deliveries, claim.claimedAt, claim.worker, '-', '-', claim.json))
end
return { append = append, format = format, add = add, add_all = add_all, last_entry_at = last_entry_at, last_error = last_error, append_release = append_release }
