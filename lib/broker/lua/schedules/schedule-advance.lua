-- Moves a schedule on to its next occurrence, if its record still has the occurrence and generation that were read. Of two schedulers
-- with the same occurrence, the second changes nothing.
-- KEYS: schedulesDue schedulesRecords
-- ARGV: clock, id, generation, its next occurrence as read, the one after (0: none), when to check it ('+inf': never), last occurrence, last job, its outcome, entered, skipped
-- REPLY: 1 moved, 0 it stood elsewhere
local keys = require('keys')
local row = redis.call('HGET', keys.schedulesRecords, ARGV[2])
if not row then return 0 end
local generation, slot, rest = string.match(row, '^1 (%d+) (%d+) [^\n]*\n(.*)$')
if generation ~= ARGV[3] or slot ~= ARGV[4] then return 0 end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('ZREM', keys.schedulesDue, ARGV[2])
redis.call('HSET', keys.schedulesRecords, ARGV[2], '1 ' .. generation .. ' ' .. table.concat(ARGV, ' ', 5, 5) .. ' '
  .. table.concat(ARGV, ' ', 7, 11) .. '\n' .. rest)
redis.call('ZADD', keys.schedulesDue, ARGV[6], ARGV[2])
return 1
