-- Forgets what no job needs any more, so that any number of keys and tenants may come and go.
-- Uniqueness keys that ran out: a taken key is indexed by its end.
local claim_calls = require('claims.claim_calls')
local clock = require('redis.clock')
local group_owners = require('dead.group_owners')
local idempotency_keys = require('jobs.idempotency_keys')
local keys = require('keys')
local ready_order = require('jobs.ready_order')
local function expire_unique(most)
  local uniques = redis.call('ZRANGE', keys.uniqueUntil, '-inf', clock.now, 'BYSCORE', 'LIMIT', 0, most)
  if #uniques > 0 then
    redis.call('ZREM', keys.uniqueUntil, unpack(uniques))
    redis.call('HDEL', keys.unique, unpack(uniques))
  end
  return #uniques >= most
end
-- Buckets that are full again, as one without a record is; and owners of failure groups that an older version removed.
local function expire_buckets()
  if redis.call('HLEN', keys.limits) <= 100 then return false end
  local found = redis.call('HSCAN', keys.limits, redis.call('HGET', keys.limits, 'scan') or '0', 'COUNT', 200)
  local full, groups = {}, {}
  for i = 1, #found[2], 2 do
    local tenant = string.match(found[2][i], '^rate:(.+)$')
    groups[#groups + 1] = string.match(found[2][i], '^group:(%x+)$')
    if tenant then
      local rates = redis.call('HMGET', keys.config, 'tenantRate:' .. tenant, 'tenantRate')
      local perSecond, burst = string.match(rates[1] or rates[2] or '', '^(%S+) (%S+)$')
      local at = string.match(found[2][i + 1], ' (%d+)$')
      -- One of a clock that was ahead is none of this time.
      if not perSecond or not at or math.abs(clock.now - at) > burst / perSecond * 1000 then full[#full + 1] = found[2][i] end
    end
  end
  if #full > 0 then redis.call('HDEL', keys.limits, unpack(full)) end
  local rows, gone = #groups > 0 and redis.call('HMGET', keys.groups, unpack(groups)) or {}, {}
  for i = 1, #groups do
    if not rows[i] then gone[#gone + 1] = groups[i] end
  end
  group_owners.release(gone)
  redis.call('HSET', keys.limits, 'scan', found[1])
  return #full >= 50
end
-- Where the last job of each tenant ends, as far as that is not behind the virtual time: there the tenant would start anyway.
-- A priority in which more than 10,000 tenants are ahead of its virtual time (each with a job or two, they never move it on)
-- moves it on to where 10,000 are left: who comes now stands behind those who are there, as they came.
local function expire_fair(most)
  local tenants = redis.call('ZCARD', keys.fair)
  if tenants == 0 then return false end
  local fair = redis.call('HGET', keys.config, 'fair')
  -- Once it is on again, it begins behind all there was.
  if not fair then return redis.call('ZREMRANGEBYRANK', keys.fair, 0, most - 1) >= most end
  -- One priority at a time: that of any tenant, so the larger its crowd, the sooner.
  local any = redis.call('ZRANDMEMBER', keys.fair)
  local priority = string.match(any, '^(%-?%d+)|')
  -- Not ours: it is never read.
  if not priority then return redis.call('ZREM', keys.fair, any) == 0 end
  local band = ready_order.band(priority)
  local time = ready_order.virtual_time(priority, tonumber(fair))
  local behind = redis.call('ZCOUNT', keys.fair, '-inf', band + time)
  local ahead = redis.call('ZCOUNT', keys.fair, '-inf', band + ready_order.BAND - 1) - behind
  if ahead > 10000 then
    local rank = behind + ahead - 10001
    time = redis.call('ZRANGE', keys.fair, rank, rank, 'WITHSCORES')[2] - band
    redis.call('HSET', keys.limits, 'v:' .. priority, string.format('%.0f', time))
  end
  local past = redis.call('ZRANGE', keys.fair, band, band + time, 'BYSCORE', 'LIMIT', 0, most)
  if #past > 0 then redis.call('ZREM', keys.fair, unpack(past)) end
  return #past >= most
end
-- About as many entries as the call has left. Says whether there may be more.
local function expire(left)
  -- A queue without a running job has no tenant with one, whatever was damaged before.
  if redis.call('ZCARD', keys.inflight) == 0 then redis.call('DEL', keys.running) end
  if redis.call('ZCARD', keys.completed) == 0 and redis.call('HGET', keys.counters, 'completedBytes') ~= '0' then
    redis.call('HSET', keys.counters, 'completedBytes', 0)
  end
  local each = math.max(20, math.floor(left / 2))
  local uniques, buckets, tenants, calls = expire_unique(each), expire_buckets(), expire_fair(each), claim_calls.expire(each)
  local references = idempotency_keys.forget(each)
  return uniques or buckets or tenants or calls or references
end
return { expire = expire }
