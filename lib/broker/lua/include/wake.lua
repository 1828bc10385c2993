-- One token wakes one idle worker; the woken worker's claim puts it back while work is left.
local function wake()
  if redis.call('ZCARD', K_ready) > 0 then redis.call('ZADD', K_wake, 0, '1') end
end
