-- Changes live settings, all of them or none, unless somebody else changed some meanwhile.
-- KEYS: ready finished finishedBefore config counters throttled events wake changes audit
-- ARGV: clock, revision the change was made over, json (who and why), before and after (json), how many fields are set, then these (field, value), then fields to clear
-- REPLY: the new revision; -1: the settings are at another revision
--@include now
--@include emit
--@include wake
--@include record
--@include horizon
local revision = tonumber(redis.call('HGET', K_config, 'revision') or 0)
if revision ~= tonumber(ARGV[2]) then return -1 end
-- A removal comes first, even of nothing: limits must be changeable just when memory is full.
redis.call('HDEL', K_config, '')
local window = resend_window()
local wasFair = redis.call('HGET', K_config, 'fair')
local sets = 6 + 2 * tonumber(ARGV[6])
for i = 7, sets, 2 do
  local value = ARGV[i + 1]
  -- Fairness starts behind the line as it stands: see line.lua.
  if ARGV[i] == 'fair' then value = wasFair or string.format('%.0f', (redis.call('HGET', K_counters, 'seq') or 0) + 1) end
  redis.call('HSET', K_config, ARGV[i], value)
end
for i = sets + 1, #ARGV do redis.call('HDEL', K_config, ARGV[i]) end
-- What the shorter window forgot stays forgotten.
if resend_window() > window then begin_horizon(now - window) end
redis.call('HSET', K_config, 'revision', revision + 1)
record('config', ARGV[3], ARGV[4], ARGV[5])
emit('configured', { 'queue' })
-- Jobs that stepped aside for a limit that was lifted come back now, not at the next look.
local throttled = redis.call('ZRANGE', K_throttled, 0, 199)
for i = 1, #throttled do redis.call('ZADD', K_throttled, 'LT', now, throttled[i]) end
if #throttled > 0 then redis.call('ZADD', K_wake, 0, '1') end
wake()
return revision + 1
