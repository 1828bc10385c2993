-- Takes an attempt back that turned out to be none to count, such as a sign-in that succeeded.
-- KEYS: accessAttempts accessPlaceAttempts accessUserAttempts
-- ARGV: clock, what is counted (a digest), which table (1 names, 2 places, 3 users)
-- REPLY: how many still count
local key = ({ K_accessAttempts, K_accessPlaceAttempts, K_accessUserAttempts })[tonumber(ARGV[3])]
local ends, count = string.match(redis.call('HGET', key, ARGV[2]) or '', '^(%d+) (%d+)$')
if not ends then return 0 end
local left = tonumber(count) - 1
redis.call('HDEL', key, ARGV[2])
if left > 0 then redis.call('HSET', key, ARGV[2], string.format('%s %.0f', ends, left)) end
return left
