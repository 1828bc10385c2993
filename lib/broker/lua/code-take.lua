-- Uses a one-time code up: of many at once, one has it.
-- KEYS: accessLinks
-- ARGV: clock, digest
-- REPLY: 1 it was good, 0 it was used before, has run out, or never was
--@include now
local over = tonumber(redis.call('HGET', K_accessLinks, ARGV[2]) or 0)
redis.call('HDEL', K_accessLinks, ARGV[2])
return over > now and 1 or 0
