-- Which of several shards have a job with this id, one that holds this uniqueness key, or ones that came in with this idempotency key.
-- KEYS: jobs unique idempotency
-- ARGV: clock, text, 1 when it may be an id, the text as it stands in rows
-- REPLY: numbers (from 0) of the shards that have any keys, separated by spaces, then for each shard with any match: its number, 1 for the id or 0, owner of the uniqueness key or '', ids under the idempotency key, separated by spaces, or ''
-- The keys of the first shard; the keys of the others follow in the same order.
local keys = require('keys')
local columns = { keys.jobs, keys.unique, keys.idempotency }
local text, may_be_id, reply, keyed = ARGV[2], ARGV[3] == '1', { '' }, {}
-- Most queues use no keys: one EXISTS says so of several. Where many queues use keys, small blocks still leave most of the others out.
local BLOCK = 10 * #columns
for first = 1, #KEYS, BLOCK do
  local last, of_keys = math.min(#KEYS, first + BLOCK - 1), { 'EXISTS' }
  for at = first, last, #columns do
    of_keys[#of_keys + 1] = KEYS[at + 1]
    of_keys[#of_keys + 1] = KEYS[at + 2]
  end
  local any_keys = redis.call(unpack(of_keys)) > 0
  for at = first, last, #columns do
    local here, owner, ids = may_be_id and redis.call('HEXISTS', KEYS[at], text) or 0, '', ''
    if any_keys and redis.call('EXISTS', KEYS[at + 1], KEYS[at + 2]) > 0 then
      keyed[#keyed + 1] = (at - 1) / #columns
      local row = redis.call('HGET', KEYS[at + 1], text)
      owner = row and string.match(row, '^%S+') or ''
      ids = redis.call('HGET', KEYS[at + 2], ARGV[4]) or ''
    end
    if here == 1 or owner ~= '' or ids ~= '' then
      reply[#reply + 1] = (at - 1) / #columns
      reply[#reply + 1] = here
      reply[#reply + 1] = owner
      reply[#reply + 1] = ids
    end
  end
end
reply[1] = table.concat(keyed, ' ')
return reply
