-- Enters jobs under ids made for this call; see enqueue-new.lua.
local clock = require('redis.clock')
local keys = require('keys')
local ready_order = require('jobs.ready_order')
local function enter()
  local config = redis.call('HMGET', keys.config, 'draining', 'depthLimit', 'fair', 'sharding')
  if config[1] or config[2] or config[3] or (config[4] or '0') ~= ARGV[2] then return 0 end
  local n, now, format = (#ARGV - 3) / 2, string.format('%.0f', clock.now), string.format
  local ids, ready, waiting = {}, {}, {}
  for i = 1, n do ids[i] = ARGV[2 * i + 2] end
  -- A client may resend a command.
  local present = redis.call('HMGET', keys.jobs, unpack(ids))
  for i = 1, n do
    if present[i] then return 0 end
  end
  redis.call('HSET', keys.jobs, unpack(ARGV, 4))
  local seq = redis.call('HINCRBY', keys.counters, 'seq', n) - n
  local nextPriority = ARGV[3] ~= '' and string.gmatch(ARGV[3], '%S+')
  for i = 1, n do
    local band = (1000 - (nextPriority and nextPriority() or 0)) * ready_order.BAND
    ready[2 * i - 1], ready[2 * i] = format('%d', band + seq + i), ids[i]
    waiting[2 * i - 1], waiting[2 * i] = now, ids[i]
  end
  redis.call('ZADD', keys.ready, unpack(ready))
  redis.call('ZADD', keys.waiting, unpack(waiting))
  redis.call('XADD', keys.events, 'MAXLEN', '~', 1000, '*', 'e', 'ready', 'n', n, 'ids', table.concat(ids, ',', 1, math.min(n, 20)), 'w', '')
  redis.call('ZADD', keys.wake, 0, '1')
  redis.call('HINCRBY', keys.counters, 'enqueued', n)
  redis.call('HINCRBY', keys.minutes, math.floor(clock.now / 60000) .. ':enqueued', n)
  return 1
end
return { enter = enter }
