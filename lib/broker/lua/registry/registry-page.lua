-- A page of the registry of queues, by score. Every producer's Redis user can add members of any text, so only names leave Redis.
-- KEYS: queues
-- ARGV: clock, score to begin with, score to end with, members to skip, members at most (1..1000), direction (asc|desc)
-- REPLY: members read, score of the last ('' none), how many members at the end of the page have that score, then the names
local keys = require('keys')
local members
if ARGV[6] == 'desc' then
  members = redis.call('ZRANGE', keys.queues, ARGV[2], ARGV[3], 'BYSCORE', 'REV', 'LIMIT', ARGV[4], ARGV[5], 'WITHSCORES')
else
  members = redis.call('ZRANGE', keys.queues, ARGV[2], ARGV[3], 'BYSCORE', 'LIMIT', ARGV[4], ARGV[5], 'WITHSCORES')
end
local last, same = members[#members] or '', 0
local reply = { #members / 2, last, 0 }
for i = 1, #members, 2 do
  same = members[i + 1] == last and same + 1 or 0
  if #members[i] <= 100 and string.find(members[i], '^[A-Za-z0-9][A-Za-z0-9_.%-]*$') then reply[#reply + 1] = members[i] end
end
reply[3] = same
return reply
