-- A change of the sharding that was entered in the record of changes did not come about: an entry that says so.
-- KEYS: config changes
-- ARGV: clock, the sharding that holds, the one the shard was closed for, json (who and why), before, after
-- REPLY: 1 entered, 0 the shard was not closed for it
--@include now
--@include change
if redis.call('HGET', K_config, 'sharding') ~= ARGV[3] then return 0 end
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('HDEL', K_config, '')
redis.call('HSET', K_config, 'sharding', ARGV[2])
enter_change('sharding', ARGV[4], ARGV[5], ARGV[6])
return 1
