-- A claim without a lease would never run out. It gets one, long enough for its worker, if it lives, to say so.
local function mend_flight()
  if redis.call('HLEN', K_claims) <= redis.call('ZCARD', K_inflight) then return end
  local found = redis.call('HSCAN', K_claims, stands_at('claims'), 'COUNT', 100)
  local back = {}
  for i = 1, #found[2], 2 do
    local id = found[2][i]
    if not redis.call('ZSCORE', K_inflight, id) then
      if placed(id) or redis.call('HEXISTS', K_jobs, id) == 0 then
        redis.call('HDEL', K_claims, id)
      else
        redis.call('ZADD', K_inflight, now + 15000, id)
        back[#back + 1] = id
      end
      mended = mended + 1
    end
  end
  if #back > 0 then emit('mended', back) end
  goes_on_at('claims', found[1])
end
-- The slots tenants hold are their claims. Counted anew where that is one short look; where more run, each end of a run brings
-- the count nearer, and an idle moment clears it.
local function mend_running()
  local n = redis.call('ZCARD', K_inflight)
  if n == 0 or n > 500 or not redis.call('HGET', K_config, 'tenantLimits') then return end
  if redis.call('HLEN', K_running) <= n then
    local sum, counts = 0, redis.call('HGETALL', K_running)
    for i = 2, #counts, 2 do sum = sum + counts[i] end
    if sum == n then return end
  end
  local rows = redis.call('HMGET', K_claims, unpack(redis.call('ZRANGE', K_inflight, 0, 499)))
  local slots, flat = {}, {}
  for i = 1, n do
    local claim = rows[i] and claim_of(rows[i])
    -- One whose claim is lost counts for nobody; its lease ends.
    if claim then slots[claim.tenant] = (slots[claim.tenant] or 0) + 1 end
  end
  for tenant, held in pairs(slots) do
    flat[#flat + 1] = tenant
    flat[#flat + 1] = held
  end
  redis.call('DEL', K_running)
  if #flat > 0 then redis.call('HSET', K_running, unpack(flat)) end
  mended = mended + 1
end
-- Since when jobs are ready, for their age: of the first in line, which are the next to leave.
local function mend_line()
  local ready, waiting = redis.call('ZCARD', K_ready), redis.call('ZCARD', K_waiting)
  if waiting < ready then
    local ids, since = redis.call('ZRANGE', K_ready, 0, 199), {}
    for i = 1, #ids do
      since[2 * i - 1] = now
      since[2 * i] = ids[i]
    end
    mended = mended + redis.call('ZADD', K_waiting, 'NX', unpack(since))
  elseif waiting > ready then
    local ids = redis.call('ZRANGE', K_waiting, 0, 199)
    for i = 1, #ids do
      if not redis.call('ZSCORE', K_ready, ids[i]) then mended = mended + redis.call('ZREM', K_waiting, ids[i]) end
    end
  end
  -- Without the sequence, new jobs would stand before old ones.
  if ready > 0 and redis.call('HEXISTS', K_counters, 'seq') == 0 then
    local last = redis.call('ZRANGE', K_ready, -1, -1, 'WITHSCORES')[2]
    redis.call('HSET', K_counters, 'seq', string.format('%.0f', last % 2199023255552))
    mended = mended + 1
  end
end
