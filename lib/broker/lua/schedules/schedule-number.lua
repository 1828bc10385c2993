-- Takes the next generation: one number series for all schedules, so that none repeats, not even for an id that was deleted
-- and made anew.
-- KEYS: schedulesRecords
-- ARGV: clock, the least it shall be (a fence may be ahead of a record that was lost in a failover)
-- REPLY: the generation
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
local keys = require('keys')
redis.call('HDEL', keys.schedulesRecords, '')
local least = tonumber(ARGV[2]) - 1
if tonumber(redis.call('HGET', keys.schedulesRecords, '.generation') or 0) < least then
  redis.call('HSET', keys.schedulesRecords, '.generation', string.format('%.0f', least))
end
return redis.call('HINCRBY', keys.schedulesRecords, '.generation', 1)
