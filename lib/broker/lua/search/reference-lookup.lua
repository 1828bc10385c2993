-- Which of several shards have a job with this id, one that holds this uniqueness key, or ones that came in with this idempotency key.
-- KEYS: jobs unique idempotency
-- ARGV: clock, text, 1 when it may be an id, the text as it stands in rows
-- REPLY: for each shard with any: its number (from 0), 1 for the id or 0, owner of the uniqueness key or '', ids under the idempotency key, separated by spaces, or ''
-- The keys of the first shard; the keys of the others follow in the same order.
local keys = require('keys')
local columns = { keys.jobs, keys.unique, keys.idempotency }
local text, may_be_id, reply = ARGV[2], ARGV[3] == '1', {}
-- Most queues use no keys: one EXISTS tells it of many of them.
local BLOCK = 50 * #columns
for first = 1, #KEYS, BLOCK do
  local last, of_keys = math.min(#KEYS, first + BLOCK - 1), { 'EXISTS' }
  for at = first, last, #columns do
    of_keys[#of_keys + 1] = KEYS[at + 1]
    of_keys[#of_keys + 1] = KEYS[at + 2]
  end
  local has_keys = redis.call(unpack(of_keys)) > 0
  for at = first, last, #columns do
    local here = may_be_id and redis.call('HEXISTS', KEYS[at], text) or 0
    local row = has_keys and redis.call('HGET', KEYS[at + 1], text)
    local owner = row and string.match(row, '^%S+') or ''
    local ids = has_keys and redis.call('HGET', KEYS[at + 2], ARGV[4]) or ''
    if here == 1 or owner ~= '' or ids ~= '' then
      reply[#reply + 1] = (at - 1) / #columns
      reply[#reply + 1] = here
      reply[#reply + 1] = owner
      reply[#reply + 1] = ids
    end
  end
end
return reply
