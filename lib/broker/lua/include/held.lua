-- Jobs that step aside: their tenant or type is paused, or their tenant is at its limit. `held` knows them by id, `heldBy` by
-- what holds them ("tenant:<t>", "type:<t>" or "limit:<t>"), in line order.
local function held_member(scope, score, id)
  return scope .. '|' .. string.format('%016.0f', score) .. '|' .. id
end
local function hold(scope, score, id)
  redis.call('ZADD', K_held, score, id)
  redis.call('ZADD', K_heldBy, 0, held_member(scope, score, id))
end
local function unhold(id, jobType, tenant)
  local score = redis.call('ZSCORE', K_held, id)
  if not score then return false end
  redis.call('ZREM', K_held, id)
  redis.call('ZREM', K_heldBy, held_member('tenant:' .. tenant, score, id), held_member('type:' .. jobType, score, id),
    held_member('limit:' .. tenant, score, id))
  return true
end
