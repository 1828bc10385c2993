-- Adds what workers measured to the totals of a queue: times from enqueue to completion. The scripts that move jobs do not know them, and
-- would have to read every completed job for it.
-- KEYS: counters config
-- ARGV: clock, then in turn: a bucket's upper bound in ms, `inf` or `sum`, and how much is added to it
-- REPLY: 1 added, 0 there is no such queue (any more)
local keys = require('keys')
if redis.call('EXISTS', keys.counters, keys.config) == 0 then return 0 end
-- Redis with full memory refuses a script whose first write adds. Jobs are completed then, too, and this adds a few bytes once.
redis.call('HDEL', keys.counters, 'e2e:')
for i = 2, #ARGV, 2 do redis.call('HINCRBY', keys.counters, 'e2e:' .. ARGV[i], ARGV[i + 1]) end
return 1
