-- How many jobs are ready in each priority: exact, since `ready` is in order of priority.
-- KEYS: ready
-- ARGV: clock, priorities at most
-- REPLY: number of ready jobs, then per priority, highest first: priority, number of jobs
local keys = require('keys')
local ready_order = require('jobs.ready_order')
local reply, n = { redis.call('ZCARD', keys.ready) }, 1
local from = '-inf'
for _ = 1, tonumber(ARGV[2]) do
  local first = redis.call('ZRANGEBYSCORE', keys.ready, from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
  if not first then break end
  local band = math.floor(tonumber(first) / ready_order.BAND)
  local next_band = string.format('%.0f', (band + 1) * ready_order.BAND)
  reply[n + 1], reply[n + 2] = 1000 - band, redis.call('ZCOUNT', keys.ready, from, '(' .. next_band)
  n, from = n + 2, next_band
end
return reply
