-- Since when the ids of all jobs that left are remembered. A job sent before may have left, and its id be forgotten.
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
  -- The one of a deleted queue would expire; see bulk-delete-queue.lua.
  redis.call('PERSIST', K_finishedBefore)
end
