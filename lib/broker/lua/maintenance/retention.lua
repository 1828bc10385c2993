local completed_jobs = require('jobs.completed_jobs')
local keys = require('keys')
local queue = require('queue')
local function ids_of(entries)
  local ids = {}
  for i = 1, #entries, 2 do ids[#ids + 1] = entries[i] end
  return ids
end
-- Deletes what has been kept long enough. Returns how many jobs went, and whether there may be more.
local function apply()
  local config = redis.call('HMGET', keys.config, 'trashGraceMs', 'deadKeepMs')
  local entries = redis.call('ZRANGE', keys.trash, '-inf', queue.now - (config[1] or 3600000), 'BYSCORE', 'LIMIT', 0, 100, 'WITHSCORES')
  local trash = ids_of(entries)
  if #trash > 0 then
    local job_removal = require('jobs.job_removal')
    redis.call('ZREM', keys.trash, unpack(trash))
    job_removal.delete(trash, job_removal.recent(entries))
    queue.emit('emptied', trash)
  end
  entries = config[2] and redis.call('ZRANGE', keys.dead, '-inf', queue.now - config[2], 'BYSCORE', 'LIMIT', 0, 50, 'WITHSCORES') or {}
  local dead = ids_of(entries)
  if #dead > 0 then
    local death_index = require('dead.death_index')
    local job_removal = require('jobs.job_removal')
    for i = 1, #dead do death_index.remove(dead[i]) end
    job_removal.delete(dead, job_removal.recent(entries))
    queue.emit('expired', dead)
  end
  local done = completed_jobs.trim(0, 100)
  return #trash + #dead + done, #trash >= 100 or #dead >= 50 or done >= 100
end
return { apply = apply }
