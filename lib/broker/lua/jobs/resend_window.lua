-- How long the ids of jobs that left are remembered.
local clock = require('redis.clock')
local keys = require('keys')
local function length() return tonumber(redis.call('HGET', keys.config, 'resendWindowMs') or 600000) end
-- Since when the ids of all jobs that left are remembered. A job sent before may have left, and its id be forgotten.
local function horizon()
  return math.max(clock.now - length(), tonumber(redis.call('HGET', keys.finishedBefore, '.since')) or 0)
end
-- Forgets resends from before `since`. Both generations say so, because the younger one replaces the other later.
local function restart(since)
  for _, key in ipairs({ keys.finishedBefore, keys.finished }) do
    since = math.min(clock.now, math.max(since, tonumber(redis.call('HGET', key, '.since')) or 0))
    redis.call('HSET', key, '.since', since)
  end
  -- The one of a deleted queue would expire; see delete-queue.lua.
  redis.call('PERSIST', keys.finishedBefore)
end
return { length = length, horizon = horizon, restart = restart }
