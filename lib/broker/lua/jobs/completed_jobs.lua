-- Deletes completed jobs beyond the limits of history: by number, by age and by size, whichever is reached first. At most
-- `most` a call, which is more than one call completes. Returns how many went.
-- `slack`: how many more than the limit may stay; maintenance allows none.
local keys = require('keys')
local queue = require('queue')
local settings = require('queues.settings')
-- Deletes the oldest `n`. Their times are only read where some ended longer ago than resends are remembered.
local function delete_oldest(n)
  local job_removal = require('jobs.job_removal')
  local oldest = redis.call('ZRANGE', keys.completed, 0, 0, 'WITHSCORES')[2]
  local ids = redis.call('ZRANGE', keys.completed, 0, n - 1)
  local times = not job_removal.is_recent(oldest) and redis.call('ZRANGE', keys.completed, 0, n - 1, 'WITHSCORES')
  redis.call('ZREMRANGEBYRANK', keys.completed, 0, n - 1)
  return job_removal.delete_completed(ids, times)
end
local function bytes()
  return (redis.call('HGET', keys.counters, 'completedBytes') or 0) + queue.pending('completedBytes')
end
local function trim(slack, most)
  local keepMs, keepBytes = settings.completedKeepMs, settings.completedKeepBytes
  local gone = 0
  local keep = tonumber(settings.completedKeep or 1000)
  local over = redis.call('ZCARD', keys.completed) - keep
  if over > slack then
    gone = delete_oldest(math.min(over, most))
  end
  if keepMs and gone == 0 then
    local old = redis.call('ZRANGE', keys.completed, '-inf', queue.now - keepMs, 'BYSCORE', 'LIMIT', 0, most)
    if #old > 0 then gone = delete_oldest(#old) end
  end
  while keepBytes and gone < most do
    local bytes, jobs = bytes(), redis.call('ZCARD', keys.completed)
    if bytes <= tonumber(keepBytes) or jobs == 0 then break end
    -- As many as are too many, were all of one size; at least one, so that it ends.
    local step = math.max(1, math.min(50, most - gone, math.floor((bytes - keepBytes) * jobs / bytes)))
    gone = gone + delete_oldest(math.min(step, jobs))
  end
  return gone
end
return { trim = trim }
