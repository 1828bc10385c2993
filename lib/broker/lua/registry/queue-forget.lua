-- Takes a name out of the registry, unless a producer entered it lately: then it may enqueue without entering it again.
-- KEYS: queues
-- ARGV: clock, queue, entered before this time (ms since 1970)
-- REPLY: 1 it is not there, 0 it was entered since
local keys = require('keys')
local at = redis.call('ZSCORE', keys.queues, ARGV[2])
if at and tonumber(at) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZREM', keys.queues, ARGV[2])
return 1
