-- Which of several shards have something that falls due by time: leases, scheduled jobs, retries, ends of pauses. Writes nothing.
-- KEYS: inflight scheduled retry pauses
-- ARGV: clock careful leasesOnly
-- REPLY: for each shard with something due: 4 times its number (from 0), plus 1 when a lease expired, plus 2 when anything else is due
-- The keys of the first shard; the keys of the others follow in the same order.
local clock = require('redis.clock')
local keys = require('keys')
local columns = { keys.inflight, keys.scheduled, keys.retry, keys.pauses }
-- With leases only, the keys are of the first column alone.
local width, together, due = ARGV[3] == '1' and 1 or #columns, 40, {}
local careful = ARGV[2] == '1'
-- A key of another type must not hide what is due in other shards: its own maintenance reports the fault. Asking the type of each key
-- costs as much as the look itself, so it is done only where a look without it failed.
local function is_other(key, kind)
  if not careful then return false end
  local found = redis.call('TYPE', key).ok
  return found ~= kind and found ~= 'none'
end
local function is_due(key)
  return is_other(key, 'zset') or redis.call('ZCOUNT', key, '-inf', clock.now) > 0
end
local function has_ended_pause(key)
  if is_other(key, 'hash') then return true end
  local rows = redis.call('HGETALL', key)
  for i = 2, #rows, 2 do
    local ends = tonumber(string.match(rows[i], '^%d+ (%d+)') or 0)
    if ends > 0 and ends <= clock.now then return true end
  end
  return false
end
local looks = { is_due, is_due, is_due, has_ended_pause }
local meanings = { 1, 2, 2, 2 }
-- In most shards nothing waits for a time, and in others only one kind of thing: one call says so of one column of many shards.
for from = 1, #KEYS, together * width do
  local to = math.min(#KEYS, from + together * width - 1)
  local found = {}
  for column = 1, width do
    local some = {}
    for at = from + column - 1, to, width do some[#some + 1] = KEYS[at] end
    if redis.call('EXISTS', KEYS[from + column - 1], unpack(some, 2)) > 0 then
      for i = 1, #some do
        -- A shard need not be due twice.
        if (found[i] or 0) < meanings[column] and looks[column](some[i]) then
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
