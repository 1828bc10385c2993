-- finished, finishedBefore: id of a job that left the queue -> the last 12 characters of the token that completed it, '-' for all
-- other ways to leave; behind it "@<tenant>" of a job that is not the default tenant's ("@?": not known), so that nobody's id hides
-- a job of another tenant; '.since' -> when that generation began. A generation ends when it is as old as the window, or full; the
-- generation before it then goes as a whole. So an id is known for at least the window, unless too many others came after it.
--@include resend-window
local FINISHED_MAX = 500000
local function token_end(token) return string.sub(token, -12) end
-- What is kept of a job that left: the end of its token, or '-', and whose it was.
local function trace_of(ended, tenant) return tenant == 'default' and ended or ended .. '@' .. (tenant or '?') end
-- Ends the current generation when it is time to. `all`: nothing is about to be added, so an empty one goes as well.
local function turn_finished(all)
  local since, window = tonumber(redis.call('HGET', K_finished, '.since')), resend_window()
  if not since then
    -- The key was lost: the generation before it still ends in its time. The one of a deleted queue expires.
    if all and redis.call('PTTL', K_finishedBefore) == -1 then redis.call('HSET', K_finished, '.since', now) end
    return
  end
  -- The clock went back: it lives longer.
  if since > now then redis.call('HSET', K_finished, '.since', now) end
  local ids = redis.call('HLEN', K_finished) - 1
  if now - since < window and ids < FINISHED_MAX then return end
  redis.call('UNLINK', K_finishedBefore)
  if ids > 0 or not all then
    redis.call('RENAME', K_finished, K_finishedBefore)
    redis.call('HSET', K_finished, '.since', now)
  else
    redis.call('UNLINK', K_finished)
  end
end
-- `rows`: id and what is kept of its token, one behind the other.
local function remember_finished(rows)
  if #rows == 0 then return end
  turn_finished(false)
  redis.call('HSETNX', K_finished, '.since', now)
  redis.call('HSET', K_finished, unpack(rows))
end
