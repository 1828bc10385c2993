-- Forgets an operation in this shard: its progress, its outcome, and its transfers. Jobs that it re-drove run on uncounted. Bounded: some fields a call, of a table that holds the latest operations.
-- KEYS: operations
-- ARGV: clock, op, where to go on ('0' to begin)
-- REPLY: where to go on, '0' at the end
local keys = require('keys')
local op, found = ARGV[2], redis.call('HSCAN', keys.operations, ARGV[3], 'COUNT', 500)
for i = 1, #found[2], 2 do
  local field = found[2][i]
  if field == op or string.sub(field, 1, #op + 1) == op .. ' ' then redis.call('HDEL', keys.operations, field) end
end
return found[1]
