-- Settles re-driven jobs that have already ended or are gone, though their operation still counts them as under way:
-- their rows were lost, so the script that ended them could not report it. 20 random jobs a turn.
local job_state = require('jobs.job_state')
local keys = require('keys')
local redriven_jobs = require('operations.redriven_jobs')
local repair_walk = require('maintenance.repair_walk')
local ENDED = { completed = 'completed', dead = 'recalled', suppressed = 'recalled', trashed = 'recalled' }
local function apply()
  local ids = redis.call('HRANDFIELD', keys.redriven, 20)
  local done = {}
  for i = 1, #ids do
    local state = job_state.find(ids[i])
    local outcome = ENDED[state] or not state and redis.call('HEXISTS', keys.jobs, ids[i]) == 0 and 'deleted'
    if outcome == 'completed' then done[#done + 1] = ids[i] elseif outcome then redriven_jobs.settle(ids[i], outcome) end
    if outcome then
      repair_walk.add(1)
      repair_walk.continue()
    end
  end
  if #done > 0 then redriven_jobs.complete(done) end
end
return { apply = apply }
