-- running: tenant -> how many of its jobs are in flight. Claim counts up; every way out of flight counts down, in the script
-- that takes the claim away, so a stale finish cannot give back a slot twice.
local flight, left_flight = {}, false
local function leaves_flight(tenant)
  flight[tenant] = (flight[tenant] or 0) - 1
  left_flight = true
end
local function enters_flight(tenant)
  flight[tenant] = (flight[tenant] or 0) + 1
end
-- Once all jobs have left or entered: books the slots, and wakes somebody where a limit kept jobs from them.
-- `limited`: the settings tenantLimits and concurrency, where the caller has read them.
local function book_slots(limited)
  limited = limited or redis.call('HMGET', K_config, 'tenantLimits', 'concurrency')
  for tenant, n in pairs(flight) do
    if n ~= 0 and redis.call('HINCRBY', K_running, tenant, n) <= 0 then redis.call('HDEL', K_running, tenant) end
    if n < 0 and limited[1] then redis.call('ZADD', K_throttled, 'XX', 'LT', now, tenant) end
  end
  flight = {}
  if left_flight and (limited[1] or limited[2]) then
    if redis.call('ZCARD', K_ready) + redis.call('ZCARD', K_throttled) > 0 then redis.call('ZADD', K_wake, 0, '1') end
  end
  left_flight = false
end
