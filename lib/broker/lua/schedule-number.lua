-- Takes the next generation: one number series for all schedules, so that none repeats, not even for an id that was deleted
-- and made anew.
-- KEYS: schedulesRecords
-- ARGV: clock, the least it shall be (a fence may be ahead of a record that was lost in a failover)
-- REPLY: the generation
-- A removal comes first, even of nothing: pausing must work just when memory is full.
redis.call('HDEL', K_schedulesRecords, '')
local least = tonumber(ARGV[2]) - 1
if tonumber(redis.call('HGET', K_schedulesRecords, '.generation') or 0) < least then
  redis.call('HSET', K_schedulesRecords, '.generation', string.format('%.0f', least))
end
return redis.call('HINCRBY', K_schedulesRecords, '.generation', 1)
