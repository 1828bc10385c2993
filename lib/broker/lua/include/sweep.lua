-- Forgets what no job needs any more, so that any number of keys and tenants may come and go.
--@include line
--@include calls
-- Uniqueness keys that ran out: a taken key is indexed by its end.
local function sweep_unique(most)
  local keys = redis.call('ZRANGE', K_uniqueUntil, '-inf', now, 'BYSCORE', 'LIMIT', 0, most)
  if #keys > 0 then
    redis.call('ZREM', K_uniqueUntil, unpack(keys))
    redis.call('HDEL', K_unique, unpack(keys))
  end
  return #keys >= most
end
-- Buckets that are full again, which is what a bucket nobody remembers counts as.
local function sweep_buckets()
  if redis.call('HLEN', K_limits) <= 100 then return false end
  local found = redis.call('HSCAN', K_limits, redis.call('HGET', K_limits, 'scan') or '0', 'COUNT', 200)
  local full = {}
  for i = 1, #found[2], 2 do
    local tenant = string.match(found[2][i], '^rate:(.+)$')
    if tenant then
      local rates = redis.call('HMGET', K_config, 'tenantRate:' .. tenant, 'tenantRate')
      local perSecond, burst = string.match(rates[1] or rates[2] or '', '^(%S+) (%S+)$')
      local at = string.match(found[2][i + 1], ' (%d+)$')
      -- One of a clock that was ahead is none of this time.
      if not perSecond or not at or math.abs(now - at) > burst / perSecond * 1000 then full[#full + 1] = found[2][i] end
    end
  end
  if #full > 0 then redis.call('HDEL', K_limits, unpack(full)) end
  redis.call('HSET', K_limits, 'scan', found[1])
  return #full >= 50
end
-- Where the last job of each tenant ends, as far as that is not behind the virtual time: there the tenant would start anyway.
-- A priority in which more than 10,000 tenants are ahead of its virtual time (each with a job or two, they never move it on)
-- moves it on to where 10,000 are left: who comes now stands behind those who are there, as they came.
local function sweep_fair(most)
  local tenants = redis.call('ZCARD', K_fair)
  if tenants == 0 then return false end
  local fair = redis.call('HGET', K_config, 'fair')
  -- Once it is on again, it begins behind all there was.
  if not fair then return redis.call('ZREMRANGEBYRANK', K_fair, 0, most - 1) >= most end
  -- One priority at a time: that of any tenant, so the larger its crowd, the sooner.
  local any = redis.call('ZRANDMEMBER', K_fair)
  local priority = string.match(any, '^(%-?%d+)|')
  -- Not ours: nobody ever asks for it.
  if not priority then return redis.call('ZREM', K_fair, any) == 0 end
  local band = band_of(priority)
  local time = virtual_time(priority, tonumber(fair))
  local behind = redis.call('ZCOUNT', K_fair, '-inf', band + time)
  local ahead = redis.call('ZCOUNT', K_fair, '-inf', band + BAND - 1) - behind
  if ahead > 10000 then
    local rank = behind + ahead - 10001
    time = redis.call('ZRANGE', K_fair, rank, rank, 'WITHSCORES')[2] - band
    redis.call('HSET', K_limits, 'v:' .. priority, string.format('%.0f', time))
  end
  local past = redis.call('ZRANGE', K_fair, band, band + time, 'BYSCORE', 'LIMIT', 0, most)
  if #past > 0 then redis.call('ZREM', K_fair, unpack(past)) end
  return #past >= most
end
-- About as many entries as the call has left. Says whether there may be more.
local function sweep(left)
  -- A queue without a running job has no tenant with one, whatever was damaged before.
  if redis.call('ZCARD', K_inflight) == 0 then redis.call('DEL', K_running) end
  if redis.call('ZCARD', K_completed) == 0 and redis.call('HGET', K_counters, 'completedBytes') ~= '0' then
    redis.call('HSET', K_counters, 'completedBytes', 0)
  end
  local each = math.max(20, math.floor(left / 2))
  local keys, buckets, tenants, calls = sweep_unique(each), sweep_buckets(), sweep_fair(each), sweep_calls(each)
  return keys or buckets or tenants or calls
end
