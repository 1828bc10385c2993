-- Deletes completed jobs beyond the limits of history: by number, by age and by size, whichever is reached first. At most
-- `most` a call, which is more than one call completes. Returns how many went.
-- `slack`: how many more than the limit may stay; maintenance allows none.
local keys = require('keys')
local queue = require('queue')
local settings = require('queues.settings')
local function delete(entries)
  local job_removal = require('jobs.job_removal')
  return job_removal.delete_completed(entries)
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
    gone = delete(redis.call('ZPOPMIN', keys.completed, math.min(over, most)))
  end
  if keepMs and gone == 0 then
    local old = redis.call('ZRANGE', keys.completed, '-inf', queue.now - keepMs, 'BYSCORE', 'LIMIT', 0, most, 'WITHSCORES')
    local ids = {}
    for i = 1, #old, 2 do ids[#ids + 1] = old[i] end
    if #ids > 0 then redis.call('ZREM', keys.completed, unpack(ids)) end
    gone = delete(old)
  end
  while keepBytes and gone < most do
    local bytes, jobs = bytes(), redis.call('ZCARD', keys.completed)
    if bytes <= tonumber(keepBytes) or jobs == 0 then break end
    -- As many as are too many, were all of one size; at least one, so that it ends.
    local step = math.max(1, math.min(50, most - gone, math.floor((bytes - keepBytes) * jobs / bytes)))
    gone = gone + delete(redis.call('ZPOPMIN', keys.completed, step))
  end
  return gone
end
return { trim = trim }
