-- Which of several shards have something that falls due by time: leases, scheduled jobs, retries, ends of pauses, throttled jobs; or ready
-- jobs without a wake token. Writes nothing.
-- KEYS: inflight scheduled retry pauses throttled ready wake
-- ARGV: clock careful, of how many of these columns the keys are (empty: all), how soon an entry that is no lease counts as due (ms)
-- REPLY: for each shard with something due: 4 times its number (from 0), plus 1 when a lease expired, plus 2 when anything else is due
-- The keys of the first shard; the keys of the others follow in the same order.
local clock = require('redis.clock')
local keys = require('keys')
local columns = { keys.inflight, keys.scheduled, keys.retry, keys.pauses, keys.throttled, keys.ready, keys.wake }
local width, together, due = tonumber(ARGV[3]) or #columns, 40, {}
local soon = clock.now + tonumber(ARGV[4])
local careful = ARGV[2] == '1'
-- A key of another type must not hide what is due in other shards: its own maintenance reports the fault. Asking the type of each key
-- costs as much as the look itself, so it is done only where a look without it failed.
local function is_other(key, kind)
  if not careful then return false end
  local found = redis.call('TYPE', key).ok
  return found ~= kind and found ~= 'none'
end
local function has_expired(key)
  return is_other(key, 'zset') or redis.call('ZCOUNT', key, '-inf', clock.now) > 0
end
local function is_due(key)
  return is_other(key, 'zset') or redis.call('ZCOUNT', key, '-inf', soon) > 0
end
local function has_ended_pause(key)
  if is_other(key, 'hash') then return true end
  local rows = redis.call('HGETALL', key)
  for i = 2, #rows, 2 do
    local ends = tonumber(string.match(rows[i], '^%d+ (%d+)') or 0)
    if ends > 0 and ends <= soon then return true end
  end
  return false
end
-- A worker that died after its wake-up took the token with it.
local function lacks_token(key, wake)
  if is_other(key, 'zset') or is_other(wake, 'zset') then return true end
  return redis.call('EXISTS', key, wake) == 1 and redis.call('EXISTS', key) == 1
end
local looks = { has_expired, is_due, is_due, has_ended_pause, is_due, lacks_token }
local meanings = { 1, 2, 2, 2, 2, 2 }
-- In most shards nothing waits for a time, and in others only one kind of thing: one call says so of one column of many shards.
for from = 1, #KEYS, together * width do
  local to = math.min(#KEYS, from + together * width - 1)
  local found = {}
  for column = 1, math.min(width, #looks) do
    local some = {}
    for at = from + column - 1, to, width do some[#some + 1] = KEYS[at] end
    if redis.call('EXISTS', KEYS[from + column - 1], unpack(some, 2)) > 0 then
      for i = 1, #some do
        -- A shard need not be due twice.
        if (found[i] or 0) < meanings[column] and looks[column](some[i], KEYS[from + i * width - 1]) then
          found[i] = (found[i] or 0) + meanings[column]
        end
      end
    end
  end
  for i = 1, together do
    if found[i] then due[#due + 1] = ((from - 1) / width + i - 1) * 4 + found[i] end
  end
end
return due
