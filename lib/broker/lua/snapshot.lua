-- A queue at a glance, at a cost that does not depend on how long it is.
-- KEYS: jobs ready inflight scheduled retry held completed dead suppressed trash waiting counters pauses config throttled
-- ARGV: clock
-- REPLY: now, rows in `jobs`, the nine state counts, oldest ready since, next scheduled, next retry, oldest lease end, counters, pauses, config values (depthLimit, draining, deadKeepMs), throttled tenants, oldest death
--@include now
local function first(key)
  return redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or ''
end
return {
  now, redis.call('HLEN', K_jobs),
  redis.call('ZCARD', K_ready), redis.call('ZCARD', K_inflight), redis.call('ZCARD', K_scheduled),
  redis.call('ZCARD', K_retry), redis.call('ZCARD', K_held), redis.call('ZCARD', K_completed),
  redis.call('ZCARD', K_dead), redis.call('ZCARD', K_suppressed), redis.call('ZCARD', K_trash),
  first(K_waiting), first(K_scheduled), first(K_retry), first(K_inflight),
  redis.call('HGETALL', K_counters), redis.call('HGETALL', K_pauses),
  redis.call('HMGET', K_config, 'depthLimit', 'draining', 'deadKeepMs'), redis.call('ZCARD', K_throttled), first(K_dead),
}
