-- Which queues have a job with this id, one that holds this uniqueness key, or ones that came in with this idempotency key: many in one command,
-- where the user of Redis may read all keys by pattern. Only first shards.
-- KEYS: queues
-- ARGV: clock, score to go on from ('' at the start), how many names of that score were looked at, names to look at, score below which only the first patterns are read ('' for none), how many patterns that are, patterns to read
-- REPLY: score to go on from ('' at the end), names of that score looked at, then the queues with any
local keys = require('keys')
local score, count, key_score, patterns = ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5]), #ARGV - 6
local function before(of)
  return redis.call('ZCOUNT', keys.queues, '-inf', '(' .. of)
end
local from = score == '' and 0 or before(score) + tonumber(ARGV[3])
local reply = { '', 0 }
local last = redis.call('ZRANGE', keys.queues, from + count - 1, from + count - 1, 'WITHSCORES')[2]
if last then
  reply[1], reply[2] = last, from + count - before(last)
  if key_score and tonumber(last) < key_score then patterns = tonumber(ARGV[6]) end
end
local command = { 'SORT_RO', keys.queues, 'BY', 'nosort', 'LIMIT', from, count }
for at = 7, 6 + patterns do
  command[#command + 1] = 'GET'
  command[#command + 1] = ARGV[at]
end
local found, named = redis.call(unpack(command)), -1
for at = 1, #found do
  local rank = from + math.floor((at - 1) / patterns)
  if found[at] and rank ~= named then
    reply[#reply + 1] = redis.call('ZRANGE', keys.queues, rank, rank)[1]
    named = rank
  end
end
return reply
