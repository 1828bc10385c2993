-- Moves a schedule on to its next slot, if it still stands at the slot and generation that were read. Of two schedulers that
-- dealt with one slot, the second finds it moved and leaves it.
-- KEYS: schedulesDue schedulesRecords
-- ARGV: clock, id, generation, slot it stands at, next slot (0: none), when to look at it ('+inf': not by itself), last slot, last job, its outcome, entered, skipped
-- REPLY: 1 moved, 0 it stood elsewhere
local row = redis.call('HGET', K_schedulesRecords, ARGV[2])
if not row then return 0 end
local generation, slot, rest = string.match(row, '^1 (%d+) (%d+) [^\n]*\n(.*)$')
if generation ~= ARGV[3] or slot ~= ARGV[4] then return 0 end
-- A removal comes first: Redis refuses a script whose first write adds when memory is full.
redis.call('ZREM', K_schedulesDue, ARGV[2])
redis.call('HSET', K_schedulesRecords, ARGV[2], '1 ' .. generation .. ' ' .. table.concat(ARGV, ' ', 5, 5) .. ' '
  .. table.concat(ARGV, ' ', 7, 11) .. '\n' .. rest)
redis.call('ZADD', K_schedulesDue, ARGV[6], ARGV[2])
return 1
