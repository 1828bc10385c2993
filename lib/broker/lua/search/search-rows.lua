-- All that is stored of jobs, payloads too, as far as a call may read at once.
-- KEYS: jobs claims attempts deaths history results redriven waiting outcomes
-- ARGV: clock, bytes after which it ends, how many operations, these operations (to find the one that re-drove a completed job), then ids
-- REPLY: per job, for the first of them: row ('' when gone), claims row, attempts row, deaths row, history, the beginning of its results row, operation, waiting since
local keys = require('keys')
local most, operations = tonumber(ARGV[2]), tonumber(ARGV[3])
local reply, bytes = {}, 0
for i = 4 + operations, #ARGV do
  local id = ARGV[i]
  local row, log = redis.call('HGET', keys.jobs, id) or '', redis.call('HGET', keys.history, id) or ''
  local result = redis.call('HGET', keys.results, id)
  local operation = string.match(redis.call('HGET', keys.redriven, id) or '', '^%S*')
  for o = 4, 3 + operations do
    if operation == '' and redis.call('ZSCORE', keys.outcomes, ARGV[o] .. '|' .. id) then operation = ARGV[o] end
  end
  reply[#reply + 1] = row
  reply[#reply + 1] = redis.call('HGET', keys.claims, id) or ''
  reply[#reply + 1] = redis.call('HGET', keys.attempts, id) or ''
  reply[#reply + 1] = redis.call('HGET', keys.deaths, id) or ''
  reply[#reply + 1] = log
  reply[#reply + 1] = result and string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ ') or ''
  reply[#reply + 1] = operation
  reply[#reply + 1] = redis.call('ZSCORE', keys.waiting, id) or ''
  bytes = bytes + #row + #log
  if bytes >= most then break end
end
return reply
