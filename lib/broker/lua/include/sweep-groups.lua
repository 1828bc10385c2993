-- Forgets failure groups of which no dead letter is left and that were not seen for 30 days; for one day, where nearly as many
-- are there as may be. At most 100 a call, from where the last one stopped.
local function sweep_groups()
  local groups = redis.call('HLEN', K_groups)
  if groups == 0 then return end
  local oldest = now - (groups > 1500 and 86400000 or 2592000000)
  local found = redis.call('HSCAN', K_groups, redis.call('HGET', K_limits, 'groups') or '0', 'COUNT', 100)
  local gone = {}
  for i = 1, #found[2], 2 do
    local group = found[2][i]
    local last = tonumber(string.match(found[2][i + 1], '^%d+ (%d+) ') or 0)
    if last < oldest and #gone < 100
      and #redis.call('ZRANGE', K_deadBy, '[group=' .. group .. '|', '(group=' .. group .. '}', 'BYLEX', 'LIMIT', 0, 1) == 0 then
      gone[#gone + 1] = group
    end
  end
  if #gone > 0 then redis.call('HDEL', K_groups, unpack(gone)) end
  if found[1] == '0' then redis.call('HDEL', K_limits, 'groups') else redis.call('HSET', K_limits, 'groups', found[1]) end
end
