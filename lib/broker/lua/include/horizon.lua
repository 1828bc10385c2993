-- Since when every job that left is known. What was sent before may have left, and have been forgotten.
--@include resend-window
local function resend_horizon()
  return math.max(now - resend_window(), tonumber(redis.call('HGET', K_finishedBefore, '.since')) or 0)
end
-- Nothing is known of what was sent before `since`. Both generations say so: the younger one takes the place of the other in its time.
local function begin_horizon(since)
  for _, key in ipairs({ K_finishedBefore, K_finished }) do
    since = math.min(now, math.max(since, tonumber(redis.call('HGET', key, '.since')) or 0))
    redis.call('HSET', key, '.since', since)
  end
  -- That of a queue that was deleted goes by itself; see bulk-delete-queue.lua.
  redis.call('PERSIST', K_finishedBefore)
end
