-- Since when every job that left is known. What was sent before may have left, and have been forgotten.
local function resend_horizon()
  local window = tonumber(redis.call('HGET', K_config, 'resendWindowMs') or 600000)
  return math.max(now - window, tonumber(redis.call('HGET', K_finishedBefore, '.since')) or 0)
end
-- From now on nothing is known of what was sent before: it may have gone to another shard.
local function begin_horizon()
  redis.call('HSET', K_finishedBefore, '.since', now)
  redis.call('HSETNX', K_finished, '.since', now)
end
