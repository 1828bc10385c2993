-- Takes back an attempt that does not count, such as a sign-in that succeeded.
-- KEYS: accessAttempts accessNetworkAttempts accessUserAttempts
-- ARGV: clock, digest of the name, address or user, which table (1 names, 2 addresses, 3 users)
-- REPLY: attempts that still count
local keys = require('keys')
local key = ({ keys.accessAttempts, keys.accessNetworkAttempts, keys.accessUserAttempts })[tonumber(ARGV[3])]
local ends, count = string.match(redis.call('HGET', key, ARGV[2]) or '', '^(%d+) (%d+)$')
if not ends then return 0 end
local left = tonumber(count) - 1
redis.call('HDEL', key, ARGV[2])
if left > 0 then redis.call('HSET', key, ARGV[2], string.format('%s %.0f', ends, left)) end
return left
