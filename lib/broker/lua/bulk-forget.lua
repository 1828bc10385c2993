-- Forgets an operation in this place: how far it was, what became of its jobs, and what it sent here. Jobs that it put back run on
-- uncounted. Bounded: some fields a call, of a table that holds the latest operations.
-- KEYS: operations
-- ARGV: clock, op, where to go on ('0' to begin)
-- REPLY: where to go on, '0' at the end
local op, found = ARGV[2], redis.call('HSCAN', K_operations, ARGV[3], 'COUNT', 500)
for i = 1, #found[2], 2 do
  local field = found[2][i]
  if field == op or string.sub(field, 1, #op + 1) == op .. ' ' then redis.call('HDEL', K_operations, field) end
end
return found[1]
