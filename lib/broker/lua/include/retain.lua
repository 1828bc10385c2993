--@include trim
-- Deletes what has been kept long enough. Returns how many jobs went, and whether there may be more.
local function retain()
  local config = redis.call('HMGET', K_config, 'trashGraceMs', 'deadKeepMs')
  local trash = redis.call('ZRANGE', K_trash, '-inf', now - (config[1] or 3600000), 'BYSCORE', 'LIMIT', 0, 200)
  if #trash > 0 then
    redis.call('ZREM', K_trash, unpack(trash))
    forget(trash)
    emit('emptied', trash)
  end
  local dead = config[2] and redis.call('ZRANGE', K_dead, '-inf', now - config[2], 'BYSCORE', 'LIMIT', 0, 50) or {}
  if #dead > 0 then
    for i = 1, #dead do unbury(dead[i], redis.call('HGET', K_jobs, dead[i])) end
    forget(dead)
    emit('expired', dead)
  end
  local done = trim_completed(redis.call('HMGET', K_config, 'completedKeep', 'completedKeepMs', 'completedKeepBytes'))
  return #trash + #dead + done, #trash >= 200 or #dead >= 50 or done >= 400
end
-- Forgets what no job needs any more: uniqueness keys that ran out, and buckets that are full again, which is what a bucket
-- nobody remembers counts as. A queue without a running job has no tenant with one, whatever was damaged before.
local function sweep()
  local keys = redis.call('ZRANGE', K_uniqueUntil, '-inf', now, 'BYSCORE', 'LIMIT', 0, 200)
  if #keys > 0 then
    redis.call('ZREM', K_uniqueUntil, unpack(keys))
    redis.call('HDEL', K_unique, unpack(keys))
  end
  if redis.call('ZCARD', K_inflight) == 0 then redis.call('DEL', K_running) end
  if redis.call('HLEN', K_limits) > 100 then
    local found = redis.call('HSCAN', K_limits, redis.call('HGET', K_limits, 'scan') or '0', 'COUNT', 100)
    local full = {}
    for i = 1, #found[2], 2 do
      local tenant = string.match(found[2][i], '^rate:(.+)$')
      if tenant then
        local rates = redis.call('HMGET', K_config, 'tenantRate:' .. tenant, 'tenantRate')
        local perSecond, burst = string.match(rates[1] or rates[2] or '', '^(%S+) (%S+)$')
        local at = string.match(found[2][i + 1], ' (%d+)$')
        if not perSecond or now - at > burst / perSecond * 1000 then full[#full + 1] = found[2][i] end
      end
    end
    if #full > 0 then redis.call('HDEL', K_limits, unpack(full)) end
    redis.call('HSET', K_limits, 'scan', found[1])
  end
end
