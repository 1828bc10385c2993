-- Gives a new shard the pauses of its queue. One that it has stays as it is: it may be newer.
-- KEYS: pauses
-- ARGV: clock, then scope and row per pause (at most 100)
-- REPLY: how many were new
local new = 0
-- A removal comes first, even of nothing: pauses must reach a new shard just when memory is full.
redis.call('HDEL', K_pauses, '')
for i = 2, #ARGV, 2 do new = new + redis.call('HSETNX', K_pauses, ARGV[i], ARGV[i + 1]) end
return new
