-- All that is stored of jobs, payloads too, as far as a call may read at once.
-- KEYS: jobs claims attempts deaths history results driven waiting outcomes
-- ARGV: clock, bytes after which it ends, how many operations, these operations (for completed jobs: which of them had put it back), then ids
-- REPLY: per job, for the first of them: row ('' when gone), claims row, attempts row, deaths row, history, the beginning of its results row, operation, waiting since
local most, operations = tonumber(ARGV[2]), tonumber(ARGV[3])
local reply, bytes = {}, 0
for i = 4 + operations, #ARGV do
  local id = ARGV[i]
  local row, log = redis.call('HGET', K_jobs, id) or '', redis.call('HGET', K_history, id) or ''
  local result = redis.call('HGET', K_results, id)
  local operation = string.match(redis.call('HGET', K_driven, id) or '', '^%S*')
  for o = 4, 3 + operations do
    if operation == '' and redis.call('ZSCORE', K_outcomes, ARGV[o] .. '|' .. id) then operation = ARGV[o] end
  end
  reply[#reply + 1] = row
  reply[#reply + 1] = redis.call('HGET', K_claims, id) or ''
  reply[#reply + 1] = redis.call('HGET', K_attempts, id) or ''
  reply[#reply + 1] = redis.call('HGET', K_deaths, id) or ''
  reply[#reply + 1] = log
  reply[#reply + 1] = result and string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ ') or ''
  reply[#reply + 1] = operation
  reply[#reply + 1] = redis.call('ZSCORE', K_waiting, id) or ''
  bytes = bytes + #row + #log
  if bytes >= most then break end
end
return reply
