-- The history of several jobs at once, by place; see rows-of.lua.
local function logs_of(ids, most)
  local logs, bytes, taken = {}, 0, 0
  for from = 1, #ids, 10 do
    if bytes > most then break end
    taken = math.min(from + 9, #ids)
    local told = redis.call('HMGET', K_history, unpack(ids, from, taken))
    for i = from, taken do
      logs[i] = told[i - from + 1]
      bytes = bytes + (logs[i] and 2 * #logs[i] or 0)
    end
  end
  return logs, taken
end
