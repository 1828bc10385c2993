-- Takes a name out of the registry, unless a producer entered it again since it was looked at.
-- KEYS: queues
-- ARGV: clock, queue, when it was entered last, as it was read
-- REPLY: 1 it is gone, 0 it was entered again
if redis.call('ZSCORE', K_queues, ARGV[2]) ~= ARGV[3] then return 0 end
return redis.call('ZREM', K_queues, ARGV[2])
