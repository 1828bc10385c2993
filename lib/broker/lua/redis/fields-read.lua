-- Fields of a hash that a producer's or worker's Redis user can write without Redrive. A value that is too large stays in Redis.
-- KEYS: index
-- ARGV: clock, bytes of one value at most, bytes of all values at most, fields (at most 500)
-- REPLY: per field: its value; its number of bytes, where it is too large; nil, where there is none
local keys = require('keys')
local each, left = tonumber(ARGV[2]), tonumber(ARGV[3])
local values = {}
for i = 4, #ARGV do
  local bytes = redis.call('HSTRLEN', keys.index, ARGV[i])
  if bytes > each or bytes > left then
    values[i - 3] = bytes
  else
    values[i - 3] = redis.call('HGET', keys.index, ARGV[i])
    left = left - bytes
  end
end
return values
