-- Forgets failure groups of which no dead letter is left and that were not seen for 30 days; for one day, where nearly as many
-- are there as may be. At most 100 a call, from where the last one stopped.
local clock = require('redis.clock')
local group_owners = require('dead.group_owners')
local keys = require('keys')
local function expire()
  local groups = redis.call('HLEN', keys.groups)
  if groups == 0 then return end
  local oldest = clock.now - (groups > 1500 and 86400000 or 2592000000)
  local found = redis.call('HSCAN', keys.groups, redis.call('HGET', keys.limits, 'groups') or '0', 'COUNT', 100)
  local gone = {}
  for i = 1, #found[2], 2 do
    local group = found[2][i]
    local last = tonumber(string.match(found[2][i + 1], '^%d+ (%d+) ') or 0)
    if last < oldest and #gone < 100
      and #redis.call('ZRANGE', keys.deadBy, '[group=' .. group .. '|', '(group=' .. group .. '}', 'BYLEX', 'LIMIT', 0, 1) == 0 then
      gone[#gone + 1] = group
    end
  end
  group_owners.release(gone)
  if #gone > 0 then redis.call('HDEL', keys.groups, unpack(gone)) end
  if found[1] == '0' then redis.call('HDEL', keys.limits, 'groups') else redis.call('HSET', keys.limits, 'groups', found[1]) end
end
return { expire = expire }
