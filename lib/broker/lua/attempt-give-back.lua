-- Takes an attempt back that turned out to be none to count, such as a sign-in that succeeded.
-- KEYS: accessAttempts
-- ARGV: clock, what is counted (a digest)
-- REPLY: how many still count
local ends, count = string.match(redis.call('HGET', K_accessAttempts, ARGV[2]) or '', '^(%d+) (%d+)$')
if not ends then return 0 end
local left = tonumber(count) - 1
redis.call('HDEL', K_accessAttempts, ARGV[2])
if left > 0 then redis.call('HSET', K_accessAttempts, ARGV[2], string.format('%s %.0f', ends, left)) end
return left
