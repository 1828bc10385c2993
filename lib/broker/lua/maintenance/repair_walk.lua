-- What the parts of repair.lua share: how many entries were repaired, and how far each walk came.
local keys = require('keys')
local repaired, is_unfinished = 0, false
local function add(n) repaired = repaired + n end
-- There is more to repair: the next call goes on.
local function continue() is_unfinished = true end
local function result() return { repaired, is_unfinished and 1 or 0 } end
-- A finished walk leaves no position behind.
local function position(walk)
  return redis.call('HGET', keys.limits, 'repair:' .. walk) or '0'
end
local function save(walk, cursor)
  if cursor == '0' then
    redis.call('HDEL', keys.limits, 'repair:' .. walk)
  else
    redis.call('HSET', keys.limits, 'repair:' .. walk, cursor)
    continue()
  end
end
-- The same for a walk by rank: where `n` of at most `limit` entries were seen.
local function save_after(walk, from, n, limit)
  save(walk, n < limit and '0' or tostring(from + n))
end
-- Whether a job is in a state other than in-flight.
local function is_placed(id)
  return redis.call('ZSCORE', keys.ready, id) or redis.call('ZSCORE', keys.scheduled, id) or redis.call('ZSCORE', keys.retry, id)
    or redis.call('ZSCORE', keys.held, id) or redis.call('ZSCORE', keys.completed, id) or redis.call('ZSCORE', keys.dead, id)
    or redis.call('ZSCORE', keys.suppressed, id) or redis.call('ZSCORE', keys.trash, id)
end
return { add = add, continue = continue, result = result, position = position, save = save, save_after = save_after, is_placed = is_placed }
