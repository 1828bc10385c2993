-- Makes scheduled or retrying jobs ready now.
-- KEYS: jobs ready waiting scheduled retry history fair limits config counters events wake changes audit operations
-- ARGV: of a chunk (chunk.lua) or of named jobs (selection.lua)
-- REPLY: of a chunk; or per named job: 1 ready, 0 in another state
local history_log = require('rows.history_log')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local ready_order = require('jobs.ready_order')
local selection = require('operations.selection')
local jobs = selection.open({ 'scheduled', keys.scheduled, 'retry', keys.retry }, true)
if not jobs then return queue.commit(selection.refused()) end
if #jobs.ids > 0 then
  local priorities, tenants = {}, {}
  for i = 1, #jobs.ids do
    local priority, _, _, _, tenant = job_row.parse(jobs.rows[i] or '')
    -- A job without a readable row keeps priority 0: claim finds it and puts it where a person can see it.
    priorities[i], tenants[i] = priority or 0, tenant or 'unknown'
  end
  redis.call('ZREM', keys.scheduled, unpack(jobs.ids))
  redis.call('ZREM', keys.retry, unpack(jobs.ids))
  history_log.add_all(jobs.ids, jobs.logs, history_log.format('promoted', 0, 0, '-', '-', '-', jobs.by))
  ready_order.add(jobs.ids, ready_order.scores(priorities, tenants, redis.call('HGET', keys.config, 'fair')))
  queue.wake()
end
return queue.commit(selection.finish(jobs, 'promoted', jobs.ids))
