-- What a list shows of each job, without its payload.
-- KEYS: jobs claims attempts deaths history results
-- ARGV: clock, then ids (at most 50)
-- REPLY: per job: id, head ('' when gone), claims row, attempts row, deaths row, last history line, results row
--@include facts
local reply = {}
for i = 2, #ARGV do
  local id = ARGV[i]
  local row = redis.call('HGET', K_jobs, id)
  local log = redis.call('HGET', K_history, id)
  local result = redis.call('HGET', K_results, id)
  reply[#reply + 1] = id
  reply[#reply + 1] = row and head_of(row) or ''
  reply[#reply + 1] = redis.call('HGET', K_claims, id) or ''
  reply[#reply + 1] = redis.call('HGET', K_attempts, id) or ''
  reply[#reply + 1] = redis.call('HGET', K_deaths, id) or ''
  reply[#reply + 1] = log and (string.match(log, '^.*\n(.*)$') or log) or ''
  reply[#reply + 1] = result and string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ ') or ''
end
return reply
