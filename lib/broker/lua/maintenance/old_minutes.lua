-- Minutes stay for three hours. `trimmed`: the last minute removed, so a pause in maintenance leaks nothing.
-- Counts from outside of these hours: a clock that was ahead and went back leaves them where the sweep no longer comes.
-- Some hundred fields a call, from where the last one stopped.
local duration_buckets = require('queues.duration_buckets')
local keys = require('keys')
local queue = require('queue')
local function trim_strays(horizon)
  local found = redis.call('HSCAN', keys.minutes, redis.call('HGET', keys.limits, 'minutes') or '0', 'COUNT', 100)
  local strays = {}
  for i = 1, #found[2], 2 do
    local at = tonumber(string.match(found[2][i], '^(%d+):') or 0)
    if (at <= horizon or at > queue.minute + 180) and #strays < 500 then strays[#strays + 1] = found[2][i] end
  end
  if #strays > 0 then redis.call('HDEL', keys.minutes, unpack(strays)) end
  if found[1] == '0' then redis.call('HDEL', keys.limits, 'minutes') else redis.call('HSET', keys.limits, 'minutes', found[1]) end
end
-- Once a minute, and as often as it takes where the sweep is behind. Says whether it did.
local function trim()
  local horizon = queue.minute - 180
  local trimmed = tonumber(redis.call('HGET', keys.counters, 'trimmed') or horizon + 1)
  if trimmed == horizon then return false end
  -- Never swept before, or swept by a clock that was ahead: from here on.
  local upto = trimmed > horizon and horizon or math.min(horizon, trimmed + 50)
  if trimmed < upto then
    local names = { 'enqueued', 'deleted', 'claimed', 'completed', 'failed', 'dead', 'reclaimed', 'released', 'redriven', 'run:span' }
    for _, upto in ipairs(duration_buckets.counted()) do
      names[#names + 1] = 'run:' .. upto
      names[#names + 1] = 'wait:' .. upto
    end
    local fields = {}
    for m = trimmed + 1, upto do
      for _, field in ipairs(names) do
        fields[#fields + 1] = m .. ':' .. field
      end
    end
    redis.call('HDEL', keys.minutes, unpack(fields))
  end
  trim_strays(horizon)
  redis.call('HSET', keys.counters, 'trimmed', upto)
  return true
end
return { trim = trim }
