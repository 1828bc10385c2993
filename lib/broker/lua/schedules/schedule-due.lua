-- What a scheduler should look at now, longest due first.
-- KEYS: schedulesDue schedulesRecords
-- ARGV: clock, at most how many (1..100)
-- REPLY: now, when the next one falls due ('' when none), then per entry: member, score, record ('' when there is none)
local clock = require('redis.clock')
local keys = require('keys')
local due = redis.call('ZRANGE', keys.schedulesDue, '-inf', clock.now, 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
local after = redis.call('ZRANGE', keys.schedulesDue, '(' .. string.format('%.0f', clock.now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
local reply, bytes = { clock.now, after[2] and after[2] ~= 'inf' and after[2] or '' }, 0
for i = 1, #due, 2 do
  -- Large payloads end a turn early: the rest is due in the next.
  if bytes > 524288 then break end
  local row = redis.call('HGET', keys.schedulesRecords, due[i]) or ''
  bytes = bytes + #row
  reply[#reply + 1] = due[i]
  reply[#reply + 1] = due[i + 1]
  reply[#reply + 1] = row
end
return reply
