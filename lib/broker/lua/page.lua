-- A page of one state's index, by keyset: exact while jobs come and go, and as fast on the last page as on the first.
-- KEYS: index
-- ARGV: clock, limit, direction (asc|desc), cursor score ('' at the start), cursor id
-- REPLY: now, total, then id and score per entry
--@include now
-- Byte order, as the index has it; Lua's own comparison follows the locale.
local function before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end
-- How many entries stand before (score, id); with `including`, that entry counts too. Ties are searched by halves.
local function rank_of(score, id, including)
  local low = redis.call('ZCOUNT', K_index, '-inf', '(' .. score)
  local high = redis.call('ZCOUNT', K_index, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local member = redis.call('ZRANGE', K_index, middle, middle)[1]
    if before(member, id) or (including and member == id) then low = middle + 1 else high = middle end
  end
  return low
end
local total, limit = redis.call('ZCARD', K_index), tonumber(ARGV[2])
local reply, entries = { now, total }, {}
if ARGV[3] == 'asc' then
  local from = ARGV[4] == '' and 0 or rank_of(ARGV[4], ARGV[5], true)
  entries = redis.call('ZRANGE', K_index, from, from + limit - 1, 'WITHSCORES')
else
  local upto = (ARGV[4] == '' and total or rank_of(ARGV[4], ARGV[5], false)) - 1
  if upto >= 0 then
    entries = redis.call('ZREVRANGE', K_index, total - 1 - upto, total - 1 - upto + limit - 1, 'WITHSCORES')
  end
end
for i = 1, #entries do reply[#reply + 1] = entries[i] end
return reply
