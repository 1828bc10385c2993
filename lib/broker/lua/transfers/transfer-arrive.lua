-- Enters jobs that an operation sent here from another queue. A batch comes in once, however often it is sent; what was answered
-- the first time is answered again. Each is marked as driven by the operation, with its death, and keeps its history.
-- KEYS: jobs ready waiting attempts history unique uniqueUntil idempotency idempotencyDue finished finishedBefore fair limits config counters minutes events wake changes audit operations redriven
-- ARGV: clock, op, where they come from, batch, sharding they were placed by ('' for none), actor and reason as JSON, then per job: id, row, history ('' for none), deliveries, redrives, row of deaths ('' for none)
-- REPLY: a digit a job: 1 entered, 2 its id is taken, 3 its uniqueness key is taken, 4 this queue is sharded otherwise by now; '' when a later batch came already
local attempt_row = require('rows.attempt_row')
local audit_event = require('audit.audit_event')
local change_log = require('queues.change_log')
local history_log = require('rows.history_log')
local idempotency_keys = require('jobs.idempotency_keys')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local ready_order = require('jobs.ready_order')
local redrive_rules = require('operations.redrive_rules')
local redriven_jobs = require('operations.redriven_jobs')
local resend_window = require('jobs.resend_window')
local unique_keys = require('jobs.unique_keys')
audit_event.open(keys.audit)
local CODES = { ['id-taken'] = '2', ['not-unique'] = '3', resharded = '4' }
local op, origin, batch, json = ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[6]
local fence = op .. ' from ' .. origin
local latest, told = string.match(redis.call('HGET', keys.operations, fence) or '', '^(%d+) (%d*)$')
latest = tonumber(latest or 0)
if latest == batch then return queue.commit(told) end
if latest > batch then return queue.commit('') end
local config = redis.call('HMGET', keys.config, 'sharding', 'fair')
local mine, newest = tonumber(string.match(ARGV[5], '^%d+') or 0), tonumber(string.match(config[1] or '', '^%d+') or 0)
local ids, codes, entered, rows, tried, logs = {}, {}, {}, {}, {}, {}
local priorities, tenants, deaths, owners = {}, {}, {}, {}
for i = 7, #ARGV, 6 do ids[#ids + 1] = ARGV[i] end
local present = redis.call('HMGET', keys.jobs, unpack(ids))
for i = 1, #ids do
  local id, at = ids[i], 1 + 6 * i
  local row, log, deliveries, redrives = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 4])
  local priority, _, _, _, tenant, unique = job_row.parse(row)
  local reason = mine < newest and 'resharded' or redrive_rules.arrival_refusal(id, present[i], unique, owners)
  codes[i] = reason and CODES[reason] or '1'
  if not reason then
    local n = #entered + 1
    entered[n], priorities[n], tenants[n], deaths[n] = id, priority, tenant, ARGV[at + 5] ~= '' and ARGV[at + 5] or false
    rows[2 * n - 1], rows[2 * n] = id, row
    tried[2 * n - 1], tried[2 * n] = id, attempt_row.format(0, deliveries, 0, redrives + 1, '-')
    logs[2 * n - 1], logs[2 * n] = id, history_log.append(log ~= '' and log, history_log.format('moved', deliveries, 0, '-', '-', '-', json))
    if unique then unique_keys.take(unique, id) end
  end
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.operations, '')
redis.call('HSET', keys.operations, fence, string.format('%.0f ', batch) .. table.concat(codes))
redis.call('HSETNX', keys.operations, op, 'running 0 0 0 0 - ')
if mine > newest then
  redis.call('HSET', keys.config, 'sharding', ARGV[5])
  resend_window.restart(queue.now)
end
if #entered > 0 then
  idempotency_keys.add(rows)
  redis.call('HSET', keys.jobs, unpack(rows))
  redis.call('HSET', keys.attempts, unpack(tried))
  redis.call('HSET', keys.history, unpack(logs))
  ready_order.add(entered, ready_order.scores(priorities, tenants, config[2]))
  redriven_jobs.add(entered, op, deaths)
  queue.count('enqueued', #entered)
  queue.emit('arrived', entered)
  if latest == 0 then
    change_log.add('operation', json, 'move ' .. op, 'jobs came from ' .. origin)
  end
  -- Once an operation, from wherever its jobs come: its start paid for one event.
  if redis.call('HSETNX', keys.operations, op .. ' arrived', '1') == 1 then
    audit_event.add(keys.audit, 'operation.arrive', json, { kind = 'operation', id = op, after = 'jobs came from ' .. origin })
  end
  queue.wake()
end
return queue.commit(table.concat(codes))
