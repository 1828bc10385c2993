-- Deletes completed jobs past the history that is kept: by number, by age and by size, whichever is reached first. At most
-- some hundred a call, and always more than one call completes. Returns how many went.
--@include forget
local function trim_completed()
  local config = redis.call('HMGET', K_config, 'completedKeep', 'completedKeepMs', 'completedKeepBytes')
  local gone = 0
  local over = redis.call('ZCARD', K_completed) - tonumber(config[1] or 1000)
  if over > 0 then gone = forget_completed(redis.call('ZPOPMIN', K_completed, math.min(over, 400))) end
  if config[2] and gone == 0 then
    local old = redis.call('ZRANGE', K_completed, '-inf', now - config[2], 'BYSCORE', 'LIMIT', 0, 400, 'WITHSCORES')
    local ids = {}
    for i = 1, #old, 2 do ids[#ids + 1] = old[i] end
    if #ids > 0 then redis.call('ZREM', K_completed, unpack(ids)) end
    gone = forget_completed(old)
  end
  while config[3] and gone < 400 and tonumber(redis.call('HGET', K_counters, 'completedBytes') or 0) > tonumber(config[3]) do
    local step = forget_completed(redis.call('ZPOPMIN', K_completed, 20))
    if step == 0 then break end
    gone = gone + step
  end
  return gone
end
