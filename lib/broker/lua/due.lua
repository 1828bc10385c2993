-- Which of several shards have something that falls due by time: leases, scheduled jobs, retries, ends of pauses. Writes nothing.
-- KEYS: inflight scheduled retry pauses
-- ARGV: clock
-- REPLY: for each shard with something due: 4 times its number (from 0), plus 1 when a lease expired, plus 2 when anything else is due
--@include now
-- The keys of the first shard; those of the others follow in the same order.
local columns = { K_inflight, K_scheduled, K_retry, K_pauses }
local width, together, due = #columns, 40, {}
-- A key of another type must not hide what is due in other shards: its own maintenance tells what is wrong.
local function is_due(key)
  local kind = redis.call('TYPE', key).ok
  if kind == 'none' then return false end
  return kind ~= 'zset' or redis.call('ZCOUNT', key, '-inf', now) > 0
end
local function has_ended_pause(key)
  local kind = redis.call('TYPE', key).ok
  if kind == 'none' then return false end
  if kind ~= 'hash' then return true end
  local rows = redis.call('HGETALL', key)
  for i = 2, #rows, 2 do
    local ends = tonumber(string.match(rows[i], '^%d+ (%d+)') or 0)
    if ends > 0 and ends <= now then return true end
  end
  return false
end
-- In most shards nothing waits for a time: one call says so of many.
for from = 1, #KEYS, together * width do
  local to = math.min(#KEYS, from + together * width - 1)
  if redis.call('EXISTS', KEYS[from], unpack(KEYS, from + 1, to)) > 0 then
    for first = from, to, width do
      if redis.call('EXISTS', KEYS[first], unpack(KEYS, first + 1, first + width - 1)) > 0 then
        local what = is_due(KEYS[first]) and 1 or 0
        if is_due(KEYS[first + 1]) or is_due(KEYS[first + 2]) or has_ended_pause(KEYS[first + 3]) then what = what + 2 end
        if what > 0 then due[#due + 1] = (first - 1) / width * 4 + what end
      end
    end
  end
end
return due
