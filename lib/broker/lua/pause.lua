-- Pauses the queue, a tenant or a job type. Pausing again replaces reason and end; `since` stays.
-- KEYS: pauses events changes audit
-- ARGV: clock, scope, for how long in ms (0: until resumed by hand), json (who and why)
-- REPLY: 1 paused, 0 refused: 100 pauses are in force already
--@include now
--@include emit
--@include record
local old = redis.call('HGET', K_pauses, ARGV[2])
if not old and redis.call('HLEN', K_pauses) >= 100 then return 0 end
local since, ends = now, 0
if old then
  local before, untilMs = string.match(old, '^(%d+) (%d+)')
  if untilMs == '0' or tonumber(untilMs) > now then since = before end
end
if tonumber(ARGV[3]) > 0 then ends = now + ARGV[3] end
-- A removal comes first, even of nothing: pausing must work just when memory is full.
redis.call('HDEL', K_pauses, '')
redis.call('HSET', K_pauses, ARGV[2], since .. ' ' .. ends .. ' ' .. ARGV[4])
record('pause', ARGV[4], ARGV[2], ends > 0 and string.format('until %.0f', ends) or '')
emit('paused', { ARGV[2] })
return 1
