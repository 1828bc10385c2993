-- Writes how a queue is sharded, unless somebody else changed it meanwhile.
-- KEYS: queuesSharding
-- ARGV: clock, queue, the record it was made over ('' none), the new record
-- REPLY: 1 written, 0 it was changed
if (redis.call('HGET', K_queuesSharding, ARGV[2]) or '') ~= ARGV[3] then return 0 end
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('HDEL', K_queuesSharding, '')
redis.call('HSET', K_queuesSharding, ARGV[2], ARGV[4])
return 1
