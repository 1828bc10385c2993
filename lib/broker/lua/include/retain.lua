--@include trim
-- Deletes what has been kept long enough. Returns how many jobs went, and whether there may be more.
local function retain()
  local config = redis.call('HMGET', K_config, 'trashGraceMs', 'deadKeepMs')
  local trash = redis.call('ZRANGE', K_trash, '-inf', now - (config[1] or 3600000), 'BYSCORE', 'LIMIT', 0, 100)
  if #trash > 0 then
    redis.call('ZREM', K_trash, unpack(trash))
    forget(trash)
    emit('emptied', trash)
  end
  local dead = config[2] and redis.call('ZRANGE', K_dead, '-inf', now - config[2], 'BYSCORE', 'LIMIT', 0, 50) or {}
  if #dead > 0 then
    for i = 1, #dead do unbury(dead[i]) end
    book_dead()
    forget(dead)
    emit('expired', dead)
  end
  local done = trim_completed(redis.call('HMGET', K_config, 'completedKeep', 'completedKeepMs', 'completedKeepBytes'), 0, 100)
  return #trash + #dead + done, #trash >= 100 or #dead >= 50 or done >= 100
end
