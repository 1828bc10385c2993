-- Cancels an operation in this queue: no step after this one moves anything.
-- KEYS: operations
-- ARGV: clock, operation id
-- REPLY: status, scanned, moved, skipped
local progress = redis.call('HGET', K_operations, ARGV[2]) or 'running 0 0 0 '
local status, scanned, moved, skipped, cursor = string.match(progress, '^(%S+) (%d+) (%d+) (%d+) ?(.*)$')
if status == 'running' then
  status = 'cancelled'
  -- A removal comes first, even of nothing: stopping must work just when memory is full.
  redis.call('HDEL', K_operations, '')
  redis.call('HSET', K_operations, ARGV[2], status .. ' ' .. scanned .. ' ' .. moved .. ' ' .. skipped .. ' ' .. cursor)
end
return { status, tonumber(scanned), tonumber(moved), tonumber(skipped) }
