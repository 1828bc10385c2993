-- Adds jobs to the dead-letter queue: `dead` and its indexes, the failure group of each and, for a job that an operation had put back,
-- what became of it. Written at the end, one command for many jobs.
local clock = require('redis.clock')
local death_index = require('dead.death_index')
local death_row = require('rows.death_row')
local failure_groups = require('dead.failure_groups')
local group_name = require('dead.group_name')
local redriven_jobs = require('operations.redriven_jobs')
local tallies = require('queues.tallies')
local ids, deaths = {}, {}
local function flush()
  death_index.add_all(ids, deaths)
  ids, deaths = {}, {}
end
-- `row`: of the job, nil when it is lost; `json`: the failure as JSON, for its group, '' for none; `op`: the operation that
-- does this, if one does; `unique`: what its claim says is unique about it, should its row not say.
local function add(id, row, class, code, attempt, json, op, unique)
  local death, key = death_row.from_job(row)
  death.diedAt, death.class, death.code, death.attempt = clock.text, class, code, attempt
  death.group = failure_groups.find(death, class, code, group_name.fingerprint(json))
  local cancelled = class == 'cancelled'
  local again = redriven_jobs.settle(id, cancelled and 'recalled' or 'diedAgain', not cancelled and death.group or nil)
  death.operation = op or not cancelled and again or '-'
  ids[#ids + 1], deaths[#deaths + 1] = id, death
  tallies.add(death.type, death.tenant, 'd', 1)
  failure_groups.count(death.group)
  if key or unique then
    local unique_keys = require('jobs.unique_keys')
    unique_keys.free(key or unique, id, 'cd')
  end
  -- As many as a command may have arguments.
  if #ids >= 200 then flush() end
end
-- A job without a row is not dead, but gone.
local function drop(id)
  redriven_jobs.settle(id, 'deleted')
end
return { add = add, drop = drop, commit = flush }
