-- Gives a new shard the pauses of its queue. One that it has stays as it is: it may be newer.
-- KEYS: pauses
-- ARGV: clock, then scope and row per pause (at most 100)
-- REPLY: how many were new
local keys = require('keys')
local new = 0
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.pauses, '')
for i = 2, #ARGV, 2 do new = new + redis.call('HSETNX', keys.pauses, ARGV[i], ARGV[i + 1]) end
return new
