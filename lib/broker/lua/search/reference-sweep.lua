-- Which queues have a job with this id, one that holds this uniqueness key, or ones that came in with this idempotency key: many in one command,
-- where the user of Redis may read all keys by pattern. Only first shards.
-- KEYS: queues
-- ARGV: clock, score to go on from ('' at the start), how many names of that score were looked at, names to look at, patterns to read
-- REPLY: score to go on from ('' at the end), names of that score looked at, then the queues with any
local keys = require('keys')
local score, count, patterns = ARGV[2], tonumber(ARGV[4]), #ARGV - 4
local function before(of)
  return redis.call('ZCOUNT', keys.queues, '-inf', '(' .. of)
end
local from = score == '' and 0 or before(score) + tonumber(ARGV[3])
local command = { 'SORT_RO', keys.queues, 'BY', 'nosort', 'LIMIT', from, count }
for at = 5, #ARGV do
  command[#command + 1] = 'GET'
  command[#command + 1] = ARGV[at]
end
local found = redis.call(unpack(command))
local reply, looked, named = { '', 0 }, #found / patterns, -1
if looked == count then
  local last = redis.call('ZRANGE', keys.queues, from + count - 1, from + count - 1, 'WITHSCORES')
  reply[1], reply[2] = last[2], from + count - before(last[2])
end
for at = 1, #found do
  local rank = from + math.floor((at - 1) / patterns)
  if found[at] and rank ~= named then
    reply[#reply + 1] = redis.call('ZRANGE', keys.queues, rank, rank)[1]
    named = rank
  end
end
return reply
