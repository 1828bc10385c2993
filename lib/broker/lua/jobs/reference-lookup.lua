-- Which of several shards have a job with this id, one that holds this uniqueness key, or ones that came in with this idempotency key.
-- KEYS: jobs unique idempotency
-- ARGV: clock, text, 1 when it may be an id, the text as it stands in rows
-- REPLY: for each shard with any: its number (from 0), 1 for the id or 0, owner of the uniqueness key or '', ids under the idempotency key, separated by spaces, or ''
-- The keys of the first shard; the keys of the others follow in the same order.
local keys = require('keys')
local columns = { keys.jobs, keys.unique, keys.idempotency }
local text, may_be_id, reply = ARGV[2], ARGV[3] == '1', {}
for at = 1, #KEYS, #columns do
  local here = may_be_id and redis.call('HEXISTS', KEYS[at], text) or 0
  local row = redis.call('HGET', KEYS[at + 1], text)
  local owner = row and string.match(row, '^%S+') or ''
  local ids = redis.call('HGET', KEYS[at + 2], ARGV[4]) or ''
  if here == 1 or owner ~= '' or ids ~= '' then
    reply[#reply + 1] = (at - 1) / #columns
    reply[#reply + 1] = here
    reply[#reply + 1] = owner
    reply[#reply + 1] = ids
  end
end
return reply
