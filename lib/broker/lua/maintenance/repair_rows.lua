-- Uniqueness keys that maintenance would not find when they run out.
local attempt_row = require('rows.attempt_row')
local dead_letters = require('dead.dead_letters')
local death_index = require('dead.death_index')
local history_log = require('rows.history_log')
local keys = require('keys')
local queue = require('queue')
local repair_walk = require('maintenance.repair_walk')
local function unique_keys()
  if redis.call('HLEN', keys.unique) <= redis.call('ZCARD', keys.uniqueUntil) then return end
  local found = redis.call('HSCAN', keys.unique, repair_walk.position('unique'), 'COUNT', 100)
  for i = 1, #found[2], 2 do
    local ends = string.match(found[2][i + 1], ' (%d+)$')
    repair_walk.add(redis.call('ZADD', keys.uniqueUntil, 'NX', ends or queue.now, found[2][i]))
  end
  repair_walk.save('unique', found[1])
end
-- Rows of jobs in no state. One that had ended goes back to where it ended. Of any other it is not known whether it waited, and
-- for when: it is dead, as something to look at, and can be re-driven.
local function row(id, row)
  if redis.call('HEXISTS', keys.results, id) == 1 then
    redis.call('ZADD', keys.completed, queue.now, id)
    return 'mended'
  end
  local death = death_index.read(id)
  if death then
    death_index.add(id, death)
    return 'mended'
  end
  local attempt, deliveries = attempt_row.parse(redis.call('HGET', keys.attempts, id))
  history_log.add(id, 'dead', deliveries, 0, '-', 'crash', 'PLACE_LOST',
    '{"message":"The keys that said where this job was were deleted or lost. Whether it waited or was scheduled is not known."}')
  dead_letters.add(id, row, 'crash', 'PLACE_LOST', attempt, '-')
  queue.count('dead', 1)
  return 'dead'
end
local function apply()
  local inStates = redis.call('ZCARD', keys.ready) + redis.call('ZCARD', keys.inflight) + redis.call('ZCARD', keys.scheduled)
    + redis.call('ZCARD', keys.retry) + redis.call('ZCARD', keys.held) + redis.call('ZCARD', keys.completed)
    + redis.call('ZCARD', keys.dead) + redis.call('ZCARD', keys.suppressed) + redis.call('ZCARD', keys.trash)
  if redis.call('HLEN', keys.jobs) <= inStates then return end
  -- Those whose claim or held entry is still there are repaired first.
  if redis.call('HLEN', keys.claims) > redis.call('ZCARD', keys.inflight) or redis.call('ZCARD', keys.heldBy) > redis.call('ZCARD', keys.held) then
    repair_walk.continue()
    return
  end
  local found, moved = redis.call('HSCAN', keys.jobs, repair_walk.position('jobs'), 'COUNT', 50), { dead = {}, mended = {} }
  for i = 1, #found[2], 2 do
    local id = found[2][i]
    if not repair_walk.is_placed(id) and not redis.call('ZSCORE', keys.inflight, id) then
      local list = moved[row(id, found[2][i + 1])]
      list[#list + 1] = id
    end
  end
  for event, ids in pairs(moved) do
    if #ids > 0 then queue.emit(event, ids) end
    repair_walk.add(#ids)
  end
  repair_walk.save('jobs', found[1])
end
return { unique_keys = unique_keys, apply = apply }
