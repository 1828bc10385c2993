-- All that is stored of jobs, payloads too, as far as a call may read at once.
-- KEYS: jobs claims attempts deaths history results redriven waiting outcomes
-- ARGV: clock, bytes after which it ends, how many operations, these operations (to find the one that re-drove a completed job), then ids
-- REPLY: per job, for the first of them: row ('' when gone), claims row, attempts row, deaths row, history, the beginning of its results row, operation, waiting since
local bounded = require('redis.bounded')
local keys = require('keys')
local most, operations = tonumber(ARGV[2]), tonumber(ARGV[3])
local reply, bytes, n, at = {}, 0, 0, 4 + operations
-- Most lists are of jobs without claims or results.
local function read(key, upto) return redis.call('EXISTS', key) == 1 and redis.call('HMGET', key, unpack(ARGV, at, upto)) or {} end
for _ = at, #ARGV do
  if at > #ARGV or n > 0 and bytes >= most then break end
  -- How large they are is only seen when they are read: the first few tell how many more fit.
  local each = n == 0 and 4 or math.max(1, math.min(20, math.floor((most - bytes) * n / 8 / (bytes + 1))))
  local upto = math.min(at + each - 1, #ARGV)
  local rows, logs = redis.call('HMGET', keys.jobs, unpack(ARGV, at, upto)), read(keys.history, upto)
  local claims, attempts, deaths, results, driven = read(keys.claims, upto), read(keys.attempts, upto), read(keys.deaths, upto), read(keys.results, upto), read(keys.redriven, upto)
  local waiting = redis.call('ZMSCORE', keys.waiting, unpack(ARGV, at, upto))
  for i = 1, upto - at + 1 do
    local id, result = ARGV[at + i - 1], results[i]
    local operation = string.match(driven[i] or '', '^%S*')
    for o = 4, 3 + operations do
      if operation == '' and redis.call('ZSCORE', keys.outcomes, ARGV[o] .. '|' .. id) then operation = ARGV[o] end
    end
    -- A row that is larger than a payload may be is unreadable.
    reply[n + 1], reply[n + 2] = bounded.text(rows[i], 262144, '?'), bounded.text(claims[i], 4096)
    reply[n + 3], reply[n + 4] = bounded.text(attempts[i], 4096), bounded.text(deaths[i], 4096)
    reply[n + 5], reply[n + 6] = bounded.text(logs[i], 65536), bounded.text(result and string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ '), 4096)
    reply[n + 7], reply[n + 8] = bounded.text(operation, 4096), waiting[i] or ''
    n, bytes = n + 8, bytes + #reply[n + 1] + #reply[n + 5]
    if bytes >= most then break end
  end
  at = upto + 1
end
return reply
