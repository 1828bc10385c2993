--@include trim
local function ids_of(entries)
  local ids = {}
  for i = 1, #entries, 2 do ids[#ids + 1] = entries[i] end
  return ids
end
-- Deletes what has been kept long enough. Returns how many jobs went, and whether there may be more.
local function retain()
  local config = redis.call('HMGET', K_config, 'trashGraceMs', 'deadKeepMs')
  local entries = redis.call('ZRANGE', K_trash, '-inf', now - (config[1] or 3600000), 'BYSCORE', 'LIMIT', 0, 100, 'WITHSCORES')
  local trash = ids_of(entries)
  if #trash > 0 then
    redis.call('ZREM', K_trash, unpack(trash))
    forget(trash, left_lately(entries))
    emit('emptied', trash)
  end
  entries = config[2] and redis.call('ZRANGE', K_dead, '-inf', now - config[2], 'BYSCORE', 'LIMIT', 0, 50, 'WITHSCORES') or {}
  local dead = ids_of(entries)
  if #dead > 0 then
    for i = 1, #dead do unbury(dead[i]) end
    book_dead()
    forget(dead, left_lately(entries))
    emit('expired', dead)
  end
  local done = trim_completed(redis.call('HMGET', K_config, 'completedKeep', 'completedKeepMs', 'completedKeepBytes'), 0, 100)
  return #trash + #dead + done, #trash >= 100 or #dead >= 50 or done >= 100
end
