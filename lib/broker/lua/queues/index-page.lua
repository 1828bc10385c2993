-- A page of one state's index, by keyset: exact while jobs come and go, and as fast on the last page as on the first.
-- KEYS: index
-- ARGV: clock, limit, direction (asc|desc), cursor score ('' at the start), cursor id
-- REPLY: now, total, then id and score per entry
local bounded = require('redis.bounded')
local byte_order = require('redis.byte_order')
local clock = require('redis.clock')
local keys = require('keys')
local total, limit = redis.call('ZCARD', keys.index), tonumber(ARGV[2])
local reply, entries = { clock.now, total }, {}
if ARGV[3] == 'asc' then
  local from = ARGV[4] == '' and 0 or byte_order.rank(keys.index, ARGV[4], ARGV[5], true)
  entries = redis.call('ZRANGE', keys.index, from, from + limit - 1, 'WITHSCORES')
else
  local upto = (ARGV[4] == '' and total or byte_order.rank(keys.index, ARGV[4], ARGV[5], false)) - 1
  if upto >= 0 then
    entries = redis.call('ZREVRANGE', keys.index, total - 1 - upto, total - 1 - upto + limit - 1, 'WITHSCORES')
  end
end
for i = 1, #entries do reply[#reply + 1] = entries[i] end
return bounded.reply(reply, 524288, keys.index)
