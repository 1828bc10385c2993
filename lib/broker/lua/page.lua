-- A page of one state's index, by keyset: exact while jobs come and go, and as fast on the last page as on the first.
-- KEYS: index
-- ARGV: clock, limit, direction (asc|desc), cursor score ('' at the start), cursor id
-- REPLY: now, total, then id and score per entry
--@include now
--@include order
local total, limit = redis.call('ZCARD', K_index), tonumber(ARGV[2])
local reply, entries = { now, total }, {}
if ARGV[3] == 'asc' then
  local from = ARGV[4] == '' and 0 or rank_in(K_index, ARGV[4], ARGV[5], true)
  entries = redis.call('ZRANGE', K_index, from, from + limit - 1, 'WITHSCORES')
else
  local upto = (ARGV[4] == '' and total or rank_in(K_index, ARGV[4], ARGV[5], false)) - 1
  if upto >= 0 then
    entries = redis.call('ZREVRANGE', K_index, total - 1 - upto, total - 1 - upto + limit - 1, 'WITHSCORES')
  end
end
for i = 1, #entries do reply[#reply + 1] = entries[i] end
return reply
