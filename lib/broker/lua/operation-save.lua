-- Writes an operation's record if it still is what the writer read: two runners cannot overwrite each other.
-- KEYS: operationsIndex operationsRecords
-- ARGV: clock, operation id, created at, the record as it was read ('' for a new one), the record as it shall be
-- REPLY: 1 saved, 0 it was changed meanwhile
-- A removal comes first, even of nothing: purging must work just when memory is full.
redis.call('HDEL', K_operationsRecords, '')
if (redis.call('HGET', K_operationsRecords, ARGV[2]) or '') ~= ARGV[4] then return 0 end
redis.call('HSET', K_operationsRecords, ARGV[2], ARGV[5])
redis.call('ZADD', K_operationsIndex, ARGV[3], ARGV[2])
return 1
