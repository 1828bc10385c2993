-- finished, finishedBefore: id of a job that left the queue -> the last 12 characters of the token that completed it, '-' for all
-- other ways to leave; behind it "@<tenant>" of a job that is not the default tenant's ("@?": not known), so that no id hides
-- a job of another tenant; '.since' -> when that generation began. A generation ends when it is as old as the window, or full; the
-- generation before it then goes as a whole. So an id stays for at least the window, unless too many others came after it.
local clock = require('redis.clock')
local keys = require('keys')
local resend_window = require('jobs.resend_window')
local FINISHED_MAX = 500000
local function token_end(token) return string.sub(token, -12) end
-- The entry of a job that left: the end of its token, or '-', and its tenant.
local function format(ended, tenant) return tenant == 'default' and ended or ended .. '@' .. (tenant or '?') end
-- Ends the current generation when it is time to. `all`: nothing is about to be added, so an empty one goes as well.
local function rotate(all)
  local since, window = tonumber(redis.call('HGET', keys.finished, '.since')), resend_window.length()
  if not since then
    -- The key was lost: the generation before it still ends in its time. The one of a deleted queue expires.
    if all and redis.call('PTTL', keys.finishedBefore) == -1 then redis.call('HSET', keys.finished, '.since', clock.now) end
    return
  end
  -- The clock went back: it lives longer.
  if since > clock.now then redis.call('HSET', keys.finished, '.since', clock.now) end
  local ids = redis.call('HLEN', keys.finished) - 1
  if clock.now - since < window and ids < FINISHED_MAX then return end
  redis.call('UNLINK', keys.finishedBefore)
  if ids > 0 or not all then
    redis.call('RENAME', keys.finished, keys.finishedBefore)
    redis.call('HSET', keys.finished, '.since', clock.now)
  else
    redis.call('UNLINK', keys.finished)
  end
end
-- `rows`: ids and entries in turn.
local function add(rows)
  if #rows == 0 then return end
  rotate(false)
  redis.call('HSETNX', keys.finished, '.since', clock.now)
  redis.call('HSET', keys.finished, unpack(rows))
end
-- The entries of jobs that left the queue, by id.
local function find(ids)
  local known = {}
  -- A queue that is not busy keeps its jobs longer than the window, and has neither.
  if #ids == 0 or redis.call('EXISTS', keys.finished, keys.finishedBefore) == 0 then return known end
  for _, key in ipairs({ keys.finishedBefore, keys.finished }) do
    local rows = redis.call('HMGET', key, unpack(ids))
    for i = 1, #ids do
      if rows[i] then known[ids[i]] = rows[i] end
    end
  end
  return known
end
return { token_end = token_end, format = format, rotate = rotate, add = add, find = find }
