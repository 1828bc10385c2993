-- Records of schedules without their payloads.
-- KEYS: schedulesRecords
-- ARGV: clock, then ids (at most 50)
-- REPLY: per id: head ('' when there is none), bytes of payload
local bounded = require('redis.bounded')
local job_row = require('rows.job_row')
local keys = require('keys')
local reply = {}
for i = 2, #ARGV do
  local row = redis.call('HGET', keys.schedulesRecords, ARGV[i]) or ''
  local head = job_row.head(row)
  reply[#reply + 1] = bounded.text(head, 65536)
  reply[#reply + 1] = math.max(0, #row - #head - 1)
end
return reply
