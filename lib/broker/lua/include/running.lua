-- running: tenant -> how many of its jobs are in flight. Claim counts up; every way out of flight counts down, in the script
-- that takes the claim away, so a stale finish cannot give back a slot twice.
local freed, freedSome = {}, false
local function leaves_flight(tenant)
  freed[tenant] = (freed[tenant] or 0) + 1
  freedSome = true
end
-- Once a script, after all jobs have left: books the slots, and wakes somebody where a limit kept jobs from them.
local function book_slots()
  if not freedSome then return end
  local limited = redis.call('HMGET', K_config, 'tenantLimits', 'concurrency')
  for tenant, n in pairs(freed) do
    if redis.call('HINCRBY', K_running, tenant, -n) <= 0 then redis.call('HDEL', K_running, tenant) end
    if limited[1] then redis.call('ZADD', K_throttled, 'XX', 0, tenant) end
  end
  if limited[1] or limited[2] then
    if redis.call('ZCARD', K_ready) + redis.call('ZCARD', K_throttled) > 0 then redis.call('ZADD', K_wake, 0, '1') end
  end
end
