-- The latest completed jobs that are kept: who they were of, and how long they ran.
-- KEYS: jobs completed results
-- ARGV: clock, how many (at most 100), how many newer ones to leave out
-- REPLY: now, number of completed jobs kept, then per job: id, type, tenant ('' for an unreadable row), completed at, claimed at ('' if unknown)
local bounded = require('redis.bounded')
local clock = require('redis.clock')
local job_row = require('rows.job_row')
local keys = require('keys')
local count, skip = tonumber(ARGV[2]), tonumber(ARGV[3])
local line = redis.call('ZREVRANGE', keys.completed, skip, skip + count - 1, 'WITHSCORES')
local reply, n = { clock.now, redis.call('ZCARD', keys.completed) }, 2
local ids = {}
for i = 1, #line, 2 do ids[#ids + 1] = line[i] end
-- Payloads and results may be large: not all of them are in memory at once.
local AT_ONCE = 10
for first = 1, #ids, AT_ONCE do
  local upto = math.min(first + AT_ONCE - 1, #ids)
  local rows = redis.call('HMGET', keys.jobs, unpack(ids, first, upto))
  local results = redis.call('HMGET', keys.results, unpack(ids, first, upto))
  for i = 1, #rows do
    local at, job_type, tenant = first + i - 1, nil, nil
    if rows[i] then
      local _, _, _, t, of = job_row.parse(rows[i])
      job_type, tenant = t, of
    end
    reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4] = ids[at], job_type or '', tenant or '', line[2 * at]
    reply[n + 5] = results[i] and string.match(results[i], '^%S+ %S+ (%d+) ') or ''
    n = n + 5
  end
end
return bounded.reply(reply, 524288, keys.completed)
