-- The members with the highest scores of a sorted set that a producer's or worker's Redis user can write without Redrive. Longer members
-- than Redrive writes stay in Redis.
-- KEYS: index
-- ARGV: clock, members at most (1..500), bytes of a member at most
-- REPLY: member and score, in turn, the highest score first
local keys = require('keys')
local members = redis.call('ZRANGE', keys.index, 0, tonumber(ARGV[2]) - 1, 'REV', 'WITHSCORES')
local reply = {}
for i = 1, #members, 2 do
  if #members[i] <= tonumber(ARGV[3]) then reply[#reply + 1], reply[#reply + 2] = members[i], members[i + 1] end
end
return reply
