-- running: tenant -> how many of its jobs are in flight. Claim counts up; every script that takes a claim away counts down, so a
-- stale finish cannot give back capacity twice.
local clock = require('redis.clock')
local keys = require('keys')
local changes, left_flight, limits = {}, false, nil
local function leave(tenant, n)
  changes[tenant] = (changes[tenant] or 0) - (n or 1)
  left_flight = true
end
local function enter(tenant, n)
  changes[tenant] = (changes[tenant] or 0) + n
end
-- Of a script that has read these settings.
local function set_limits(tenantLimits, concurrency)
  limits = { tenantLimits, concurrency }
end
-- Also wakes a worker where a limit kept jobs from it.
local function commit()
  if not next(changes) then return end
  limits = limits or redis.call('HMGET', keys.config, 'tenantLimits', 'concurrency')
  for tenant, n in pairs(changes) do
    if n ~= 0 and redis.call('HINCRBY', keys.running, tenant, n) <= 0 then redis.call('HDEL', keys.running, tenant) end
    if n < 0 and limits[1] then redis.call('ZADD', keys.throttled, 'XX', 'LT', clock.now, tenant) end
  end
  changes = {}
  if left_flight and (limits[1] or limits[2]) then
    if redis.call('ZCARD', keys.ready) + redis.call('ZCARD', keys.throttled) > 0 then redis.call('ZADD', keys.wake, 0, '1') end
  end
  left_flight = false
end
return { leave = leave, enter = enter, set_limits = set_limits, commit = commit }
