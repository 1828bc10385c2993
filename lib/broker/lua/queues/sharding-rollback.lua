-- A change of the sharding that was entered in the record of changes did not come about: an entry that says so.
-- KEYS: config changes
-- ARGV: clock, the sharding that holds, the one the shard was closed for, actor and reason as JSON, before, after
-- REPLY: 1 entered, 0 the shard was not closed for it
local change_log = require('queues.change_log')
local keys = require('keys')
if redis.call('HGET', keys.config, 'sharding') ~= ARGV[3] then return 0 end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.config, '')
redis.call('HSET', keys.config, 'sharding', ARGV[2])
change_log.add('sharding', ARGV[4], ARGV[5], ARGV[6])
return 1
