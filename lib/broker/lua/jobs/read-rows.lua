-- What a list shows of each job, as far as a call may read at once. Its row as a whole only where a message is shown that may repeat what its payload hides.
-- KEYS: jobs claims attempts deaths history results
-- ARGV: clock, bytes of such rows after which it ends (0: none are wanted; a longer row is not given), then ids (at most 50)
-- REPLY: per job, for the first of them: id, head ('' when gone), claims row, attempts row, deaths row, last history line without its stack (of one that died: the last with an error), results row, its row ('' unless wanted)
local bounded = require('redis.bounded')
local history_log = require('rows.history_log')
local job_row = require('rows.job_row')
local keys = require('keys')
local most, bytes, ids, find, sub = tonumber(ARGV[2]), 0, {}, string.find, string.sub
for i = 3, #ARGV do ids[i - 2] = ARGV[i] end
local reply, n = {}, 0
if #ids == 0 then return reply end
-- Most lists are of jobs that are not claimed, or of a queue that keeps no results.
local function read_all(key) return redis.call('EXISTS', key) == 1 and redis.call('HMGET', key, unpack(ids)) or {} end
local claims, attempts, deaths = read_all(keys.claims), read_all(keys.attempts), read_all(keys.deaths)
local has_results = redis.call('EXISTS', keys.results) == 1
-- What may be large is read a few at a time, so that not all of it is in memory at once.
local AT_ONCE = 10
for from = 1, #ids, AT_ONCE do
  local upto = math.min(from + AT_ONCE - 1, #ids)
  local rows = redis.call('HMGET', keys.jobs, unpack(ids, from, upto))
  local logs = redis.call('HMGET', keys.history, unpack(ids, from, upto))
  local results = has_results and redis.call('HMGET', keys.results, unpack(ids, from, upto)) or {}
  for i = from, upto do
    local k = i - from + 1
    local row, log, result = rows[k], logs[k], results[k]
    local last = log and deaths[i] and history_log.last_error(log) or ''
    if log and last == '' then
      local start = history_log.last_entry_at(log)
      last = start > 1 and sub(log, start) or log
    end
    -- Lists show no stacks, which are most of such a line.
    local stack = find(last, '","stack":"', 1, true)
    if stack then last = sub(last, 1, stack) .. '}' end
    local wanted = row and #row <= most and (find(last, '"message":"', 1, true) or find(last, '"reason":"', 1, true))
    reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4] = ids[i], bounded.text(row and job_row.head(row), 4096), bounded.text(claims[i], 4096), bounded.text(attempts[i], 4096)
    reply[n + 5], reply[n + 6] = bounded.text(deaths[i], 4096), bounded.text(last, 32768)
    reply[n + 7] = bounded.text(result and string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ '), 4096)
    reply[n + 8] = wanted and row or ''
    n = n + 8
    bytes = bytes + #reply[n]
    if most > 0 and bytes >= most then return reply end
  end
end
return reply
