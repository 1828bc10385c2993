-- A claim without a lease would never run out. It gets one, long enough for its worker, if it lives, to say so.
local claim_row = require('rows.claim_row')
local keys = require('keys')
local queue = require('queue')
local repair_walk = require('maintenance.repair_walk')
local function leases()
  if redis.call('HLEN', keys.claims) <= redis.call('ZCARD', keys.inflight) then return end
  local found = redis.call('HSCAN', keys.claims, repair_walk.position('claims'), 'COUNT', 100)
  local back = {}
  for i = 1, #found[2], 2 do
    local id = found[2][i]
    if not redis.call('ZSCORE', keys.inflight, id) then
      if repair_walk.is_placed(id) or redis.call('HEXISTS', keys.jobs, id) == 0 then
        redis.call('HDEL', keys.claims, id)
      else
        redis.call('ZADD', keys.inflight, queue.now + 15000, id)
        back[#back + 1] = id
      end
      repair_walk.add(1)
    end
  end
  if #back > 0 then queue.emit('mended', back) end
  repair_walk.save('claims', found[1])
end
-- The slots tenants hold are their claims. Counted anew where that is one short look; where more run, each end of a run brings
-- the count nearer, and an idle moment clears it.
local function capacity()
  local n = redis.call('ZCARD', keys.inflight)
  if n == 0 or n > 500 or not redis.call('HGET', keys.config, 'tenantLimits') then return end
  if redis.call('HLEN', keys.running) <= n then
    local sum, counts = 0, redis.call('HGETALL', keys.running)
    for i = 2, #counts, 2 do sum = sum + counts[i] end
    if sum == n then return end
  end
  local rows = redis.call('HMGET', keys.claims, unpack(redis.call('ZRANGE', keys.inflight, 0, 499)))
  local slots, flat = {}, {}
  for i = 1, n do
    local claim = rows[i] and claim_row.parse(rows[i])
    -- A job without a claims row counts for no tenant; its lease ends.
    if claim then slots[claim.tenant] = (slots[claim.tenant] or 0) + 1 end
  end
  for tenant, held in pairs(slots) do
    flat[#flat + 1] = tenant
    flat[#flat + 1] = held
  end
  redis.call('DEL', keys.running)
  if #flat > 0 then redis.call('HSET', keys.running, unpack(flat)) end
  repair_walk.add(1)
end
-- Since when jobs are ready, for their age: of the first in line, which are the next to leave.
local function ready()
  local ready, waiting = redis.call('ZCARD', keys.ready), redis.call('ZCARD', keys.waiting)
  if waiting < ready then
    local ids, since = redis.call('ZRANGE', keys.ready, 0, 199), {}
    for i = 1, #ids do
      since[2 * i - 1] = queue.now
      since[2 * i] = ids[i]
    end
    repair_walk.add(redis.call('ZADD', keys.waiting, 'NX', unpack(since)))
  elseif waiting > ready then
    local ids = redis.call('ZRANGE', keys.waiting, 0, 199)
    for i = 1, #ids do
      if not redis.call('ZSCORE', keys.ready, ids[i]) then repair_walk.add(redis.call('ZREM', keys.waiting, ids[i])) end
    end
  end
  -- Without the sequence, new jobs would stand before old ones.
  if ready > 0 and redis.call('HEXISTS', keys.counters, 'seq') == 0 then
    local last = redis.call('ZRANGE', keys.ready, -1, -1, 'WITHSCORES')[2]
    redis.call('HSET', keys.counters, 'seq', string.format('%.0f', last % 2199023255552))
    repair_walk.add(1)
  end
end
return { leases = leases, capacity = capacity, ready = ready }
