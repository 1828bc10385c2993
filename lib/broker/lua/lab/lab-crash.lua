-- Records a crash of the demo, the latest 20 of them; sent again for the same worker, replaces it.
-- KEYS: labCrashes labSession
-- ARGV: clock, worker id, the crash as JSON
-- REPLY: 1 recorded, 2 replaced
local keys = require('keys')
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('LTRIM', keys.labCrashes, 0, 19)
for i = 0, 19 do
  local row = redis.call('LINDEX', keys.labCrashes, i)
  if not row then break end
  if string.find(row, '"workerId":"' .. ARGV[2] .. '"', 1, true) then
    redis.call('LSET', keys.labCrashes, i, ARGV[3])
    return 2
  end
end
redis.call('LPUSH', keys.labCrashes, ARGV[3])
redis.call('LTRIM', keys.labCrashes, 0, 19)
redis.call('HINCRBY', keys.labSession, 'crashes', 1)
return 1
