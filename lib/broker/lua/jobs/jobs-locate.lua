-- Which of these jobs this shard has.
-- KEYS: jobs
-- ARGV: clock, then ids (at most 500)
-- REPLY: per job: 1 here, 0 not
local keys = require('keys')
local reply = {}
for i = 2, #ARGV do reply[i - 1] = redis.call('HEXISTS', keys.jobs, ARGV[i]) end
return reply
