-- A sample of the ready jobs, so that a list of types and tenants costs the same however long the backlog is.
-- KEYS: jobs ready waiting
-- ARGV: clock, how many (at most 100), position of the first in order (-1: at random)
-- REPLY: now, number of ready jobs, then per job: id, type, tenant ('' for an unreadable row), ready since ('' if unknown)
local bounded = require('redis.bounded')
local clock = require('redis.clock')
local job_row = require('rows.job_row')
local keys = require('keys')
local count, from = tonumber(ARGV[2]), tonumber(ARGV[3])
local ids = from < 0 and redis.call('ZRANDMEMBER', keys.ready, count) or redis.call('ZRANGE', keys.ready, from, from + count - 1)
local reply, n = { clock.now, redis.call('ZCARD', keys.ready) }, 2
if #ids == 0 then return reply end
local since = redis.call('ZMSCORE', keys.waiting, unpack(ids))
-- Payloads may be large: not all of them are in memory at once.
local AT_ONCE = 10
for first = 1, #ids, AT_ONCE do
  local rows = redis.call('HMGET', keys.jobs, unpack(ids, first, math.min(first + AT_ONCE - 1, #ids)))
  for i = 1, #rows do
    local at, job_type, tenant = first + i - 1, nil, nil
    if rows[i] then
      local _, _, _, t, of = job_row.parse(rows[i])
      job_type, tenant = t, of
    end
    reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4] = ids[at], job_type or '', tenant or '', since[at] or ''
    n = n + 4
  end
end
return bounded.reply(reply, 524288, keys.ready)
