-- history: one line an event, "<at> <kind> <delivery> <claimedAt> <worker> <class> <code> <json>", newest last.
-- Bounded: 20 lines and 16 KiB a job, oldest dropped first.
local function add_history(id, old, line)
  if old then
    local _, breaks = string.gsub(old, '\n', '')
    while old and (breaks + 2 > 20 or #old + 1 + #line > 16384) do
      local cut = string.find(old, '\n', 1, true)
      old = cut and string.sub(old, cut + 1)
      breaks = breaks - 1
    end
    if old then line = old .. '\n' .. line end
  end
  redis.call('HSET', K_history, id, line)
end
local function history_line(kind, delivery, claimedAt, worker, class, code, json)
  return now .. ' ' .. kind .. ' ' .. delivery .. ' ' .. claimedAt .. ' ' .. worker .. ' ' .. class .. ' ' .. code .. ' ' .. json
end
local function remember(id, kind, delivery, claimedAt, worker, class, code, json)
  add_history(id, redis.call('HGET', K_history, id), history_line(kind, delivery, claimedAt, worker, class, code, json))
end
