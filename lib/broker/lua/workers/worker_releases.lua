-- What releases of workers can run, also after their workers are gone: in the hash of schemas, `.<digest>` → json of a release, and
-- `.releases` → "<digest> <last seen> …", the latest last. Bounded: 50 releases, a day. Workers of one release share a row, so it does
-- not depend on how many there are.
local clock = require('redis.clock')
local keys = require('keys')
local function saw(digest, json)
  local names, times, gone = {}, {}, {}
  for name, at in string.gmatch(redis.call('HGET', keys.workersSchemas, '.releases') or '', '(%x+) (%d+)') do
    if name ~= digest then names[#names + 1], times[#times + 1] = name, at end
  end
  names[#names + 1], times[#times + 1] = digest, clock.text
  local first = 1
  for i = 1, #names - 1 do
    if #names - i < 50 and tonumber(times[i]) > clock.now - 86400000 then break end
    gone[#gone + 1] = '.' .. names[i]
    first = i + 1
  end
  local index = {}
  for i = first, #names do index[#index + 1] = names[i] .. ' ' .. times[i] end
  if #gone > 0 then redis.call('HDEL', keys.workersSchemas, unpack(gone)) end
  redis.call('HSET', keys.workersSchemas, '.releases', table.concat(index, ' '), '.' .. digest, json)
end
return { saw = saw }
