-- Which of several shards have a job with this id, or one that holds this uniqueness key.
-- KEYS: jobs unique
-- ARGV: clock, text, 1 when it may be an id
-- REPLY: for each shard with either: its number (from 0), 1 for the id or 0, owner of the key or ''
-- The keys of the first shard; the keys of the others follow in the same order.
local keys = require('keys')
local columns = { keys.jobs, keys.unique }
local text, may_be_id, reply = ARGV[2], ARGV[3] == '1', {}
for at = 1, #KEYS, #columns do
  local here = may_be_id and redis.call('HEXISTS', KEYS[at], text) or 0
  local row = redis.call('HGET', KEYS[at + 1], text)
  local owner = row and string.match(row, '^%S+') or ''
  if here == 1 or owner ~= '' then
    reply[#reply + 1] = (at - 1) / #columns
    reply[#reply + 1] = here
    reply[#reply + 1] = owner
  end
end
return reply
