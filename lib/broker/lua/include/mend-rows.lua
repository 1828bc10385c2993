-- Uniqueness keys that maintenance would not find when they run out.
local function mend_unique()
  if redis.call('HLEN', K_unique) <= redis.call('ZCARD', K_uniqueUntil) then return end
  local found = redis.call('HSCAN', K_unique, stands_at('unique'), 'COUNT', 100)
  for i = 1, #found[2], 2 do
    local ends = string.match(found[2][i + 1], ' (%d+)$')
    mended = mended + redis.call('ZADD', K_uniqueUntil, 'NX', ends or now, found[2][i])
  end
  goes_on_at('unique', found[1])
end
-- Rows of jobs in no state. One that had ended goes back to where it ended. Of any other nobody knows whether it waited, and
-- for when: it is dead, as something to look at, and can be re-driven.
local function mend_row(id, row)
  if redis.call('HEXISTS', K_results, id) == 1 then
    redis.call('ZADD', K_completed, now, id)
    return 'mended'
  end
  local death = death_of(id)
  if death then
    index_dead(id, death)
    return 'mended'
  end
  local attempt, deliveries = tries(redis.call('HGET', K_attempts, id))
  remember(id, 'dead', deliveries, 0, '-', 'crash', 'PLACE_LOST',
    '{"message":"The keys that said where this job was were deleted or lost. Whether it waited or was scheduled is not known."}')
  bury(id, row, 'crash', 'PLACE_LOST', attempt, '-')
  count('dead', 1)
  return 'dead'
end
local function mend_rows()
  local inStates = redis.call('ZCARD', K_ready) + redis.call('ZCARD', K_inflight) + redis.call('ZCARD', K_scheduled)
    + redis.call('ZCARD', K_retry) + redis.call('ZCARD', K_held) + redis.call('ZCARD', K_completed)
    + redis.call('ZCARD', K_dead) + redis.call('ZCARD', K_suppressed) + redis.call('ZCARD', K_trash)
  if redis.call('HLEN', K_jobs) <= inStates then return end
  -- Those whose claim or note is still there are mended first.
  if redis.call('HLEN', K_claims) > redis.call('ZCARD', K_inflight) or redis.call('ZCARD', K_heldBy) > redis.call('ZCARD', K_held) then
    unfinished = true
    return
  end
  local found, moved = redis.call('HSCAN', K_jobs, stands_at('jobs'), 'COUNT', 50), { dead = {}, mended = {} }
  for i = 1, #found[2], 2 do
    local id = found[2][i]
    if not placed(id) and not redis.call('ZSCORE', K_inflight, id) then
      local list = moved[mend_row(id, found[2][i + 1])]
      list[#list + 1] = id
    end
  end
  for event, ids in pairs(moved) do
    if #ids > 0 then emit(event, ids) end
    mended = mended + #ids
  end
  goes_on_at('jobs', found[1])
end
