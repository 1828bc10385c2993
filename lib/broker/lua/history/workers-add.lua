-- How many live workers a queue has from a minute on, if there were more or fewer before. Consoles that count the same minute add one entry.
-- KEYS: workerCounts counters config
-- ARGV: clock, minute, live workers, the first minute that charts reach, how many entries are kept
-- REPLY: 1 added, 0 as many as before, a minute that is past, or there is no such queue (any more)
local keys = require('keys')
if redis.call('EXISTS', keys.counters, keys.config) == 0 then return 0 end
local newest = redis.call('XREVRANGE', keys.workerCounts, '+', '-', 'COUNT', 1)[1]
if newest and (newest[2][2] == ARGV[3] or tonumber(string.match(newest[1], '^%d+')) >= tonumber(ARGV[2])) then return 0 end
-- The last entry up to the first minute stays: it tells how the charts begin.
local first = redis.call('XREVRANGE', keys.workerCounts, ARGV[4], '-', 'COUNT', 1)[1]
if first then redis.call('XTRIM', keys.workerCounts, 'MINID', first[1]) end
redis.call('XADD', keys.workerCounts, 'MAXLEN', ARGV[5], ARGV[2] .. '-0', 'n', ARGV[3])
return 1
