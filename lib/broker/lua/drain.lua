-- Starts or ends draining: new jobs are refused, old ones finish. Starting again replaces who and why; `since` stays.
-- KEYS: config events changes audit
-- ARGV: clock, 1 to drain or 0 to take jobs again, json (who and why)
-- REPLY: 1 changed, 0 it did not drain
--@include now
--@include emit
--@include record
local old = redis.call('HGET', K_config, 'draining')
-- A removal comes first, even of nothing: draining must work just when memory is full.
redis.call('HDEL', K_config, '')
if ARGV[2] == '1' then
  local since = old and string.match(old, '^(%d+) ') or string.format('%.0f', now)
  redis.call('HSET', K_config, 'draining', since .. ' ' .. ARGV[3])
  record('drain', ARGV[3])
  emit('draining', { 'queue' })
  return 1
end
if not old then return 0 end
redis.call('HDEL', K_config, 'draining')
record('undrain', ARGV[3])
emit('accepting', { 'queue' })
return 1
