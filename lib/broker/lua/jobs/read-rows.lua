-- What a list shows of each job, as far as a call may read at once. Its row as a whole only where a message is shown that may repeat what its payload hides.
-- KEYS: jobs claims attempts deaths history results
-- ARGV: clock, bytes of such rows after which it ends (0: none are wanted; a longer row is not given), then ids (at most 50)
-- REPLY: per job, for the first of them: id, head ('' when gone), claims row, attempts row, deaths row, last history line, results row, its row ('' unless wanted)
local history_log = require('rows.history_log')
local job_row = require('rows.job_row')
local keys = require('keys')
local most, bytes, ids = tonumber(ARGV[2]), 0, {}
for i = 3, #ARGV do ids[i - 2] = ARGV[i] end
local reply = {}
if #ids == 0 then return reply end
local claims = redis.call('HMGET', keys.claims, unpack(ids))
local attempts = redis.call('HMGET', keys.attempts, unpack(ids))
local deaths = redis.call('HMGET', keys.deaths, unpack(ids))
-- What may be large is read a few at a time, so that not all of it is in memory at once.
local AT_ONCE = 10
for from = 1, #ids, AT_ONCE do
  local upto = math.min(from + AT_ONCE - 1, #ids)
  local rows = redis.call('HMGET', keys.jobs, unpack(ids, from, upto))
  local logs = redis.call('HMGET', keys.history, unpack(ids, from, upto))
  local results = redis.call('HMGET', keys.results, unpack(ids, from, upto))
  for i = from, upto do
    local k = i - from + 1
    local row, log, result = rows[k], logs[k], results[k]
    reply[#reply + 1] = ids[i]
    reply[#reply + 1] = row and job_row.head(row) or ''
    reply[#reply + 1] = claims[i] or ''
    reply[#reply + 1] = attempts[i] or ''
    reply[#reply + 1] = deaths[i] or ''
    local last = log and string.sub(log, history_log.last_entry_at(log)) or ''
    reply[#reply + 1] = last
    reply[#reply + 1] = result and string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ ') or ''
    local wanted = row and #row <= most and (string.find(last, '"message":"', 1, true) or string.find(last, '"reason":"', 1, true))
    reply[#reply + 1] = wanted and row or ''
    bytes = bytes + #reply[#reply]
    if most > 0 and bytes >= most then return reply end
  end
end
return reply
