-- Deletes completed jobs past the history that is kept: by number, by age and by size, whichever is reached first. At most
-- `most` a call, which is more than one call completes. Returns how many went.
-- `slack`: how many more than are to be kept may stand; maintenance allows none.
--@include forget
local function booked_bytes()
  return (redis.call('HGET', K_counters, 'completedBytes') or 0) + pending('completedBytes')
end
local function trim_completed(config, slack, most)
  local gone = 0
  local keep = tonumber(config[1] or 1000)
  local over = redis.call('ZCARD', K_completed) - keep
  if over > slack then
    gone = forget_completed(redis.call('ZPOPMIN', K_completed, math.min(over, most)))
  end
  if config[2] and gone == 0 then
    local old = redis.call('ZRANGE', K_completed, '-inf', now - config[2], 'BYSCORE', 'LIMIT', 0, most, 'WITHSCORES')
    local ids = {}
    for i = 1, #old, 2 do ids[#ids + 1] = old[i] end
    if #ids > 0 then redis.call('ZREM', K_completed, unpack(ids)) end
    gone = forget_completed(old)
  end
  while config[3] and gone < most do
    local bytes, jobs = booked_bytes(), redis.call('ZCARD', K_completed)
    if bytes <= tonumber(config[3]) or jobs == 0 then break end
    -- As many as are too many, were all of one size; at least one, so that it ends.
    local step = math.max(1, math.min(50, most - gone, math.floor((bytes - config[3]) * jobs / bytes)))
    gone = gone + forget_completed(redis.call('ZPOPMIN', K_completed, step))
  end
  return gone
end
