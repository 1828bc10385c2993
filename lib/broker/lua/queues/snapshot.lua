-- A queue at a glance, at a cost that does not depend on how long it is.
-- KEYS: jobs ready inflight scheduled retry held completed dead suppressed trash waiting counters minutes pauses config throttled
-- ARGV: clock[, minute from which on run times are asked for]
-- REPLY: now, rows in `jobs`, the nine state counts, oldest ready since, next scheduled, next retry, oldest lease end, counters, pauses, config values (depthLimit, draining, deadKeepMs, objectiveAgeMs, objectiveFailurePercent, objectiveDepth), throttled tenants, oldest death, counts of the latest minutes, how ready jobs come and go, run times by minute
local bounded = require('redis.bounded')
local clock = require('redis.clock')
local keys = require('keys')
local recent_counts = require('queues.recent_counts')
local function first(key)
  return redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or ''
end
local counters, too_many = bounded.hash(keys.counters, 1000)
if not counters then return too_many end
local pauses, too_many_pauses = bounded.hash(keys.pauses, 1000)
if not pauses then return too_many_pauses end
return bounded.reply({
  clock.now, redis.call('HLEN', keys.jobs),
  redis.call('ZCARD', keys.ready), redis.call('ZCARD', keys.inflight), redis.call('ZCARD', keys.scheduled),
  redis.call('ZCARD', keys.retry), redis.call('ZCARD', keys.held), redis.call('ZCARD', keys.completed),
  redis.call('ZCARD', keys.dead), redis.call('ZCARD', keys.suppressed), redis.call('ZCARD', keys.trash),
  first(keys.waiting), first(keys.scheduled), first(keys.retry), first(keys.inflight),
  counters, pauses,
  redis.call('HMGET', keys.config, 'depthLimit', 'draining', 'deadKeepMs', 'objectiveAgeMs', 'objectiveFailurePercent', 'objectiveDepth'), redis.call('ZCARD', keys.throttled), first(keys.dead),
  recent_counts.by_minute(), recent_counts.flow(), recent_counts.run_times(ARGV[2]),
}, 524288, keys.counters)
