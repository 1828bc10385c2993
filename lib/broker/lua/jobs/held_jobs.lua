-- Jobs that step aside: their tenant or type is paused, or their tenant is at its limit. `held` knows them by id, `heldBy` by
-- what holds them ("tenant:<t>", "type:<t>" or "limit:<t>"), in line order.
local keys = require('keys')
local queue = require('queue')
local function member(scope, score, id)
  return scope .. '|' .. string.format('%016.0f', score) .. '|' .. id
end
local function add(scope, score, id)
  redis.call('ZADD', keys.held, score, id)
  redis.call('ZADD', keys.heldBy, 0, member(scope, score, id))
end
local function remove(id, jobType, tenant)
  local score = redis.call('ZSCORE', keys.held, id)
  if not score then return false end
  redis.call('ZREM', keys.held, id)
  redis.call('ZREM', keys.heldBy, member('tenant:' .. tenant, score, id), member('type:' .. jobType, score, id),
    member('limit:' .. tenant, score, id))
  return true
end
-- Puts up to `limit` jobs that a scope holds back to their old places in line. Returns how many.
local function put_back(scope, limit)
  local members = redis.call('ZRANGE', keys.heldBy, '[' .. scope .. '|', '(' .. scope .. '}', 'BYLEX', 'LIMIT', 0, limit)
  if #members == 0 then return 0 end
  local ids, ready, waiting = {}, {}, {}
  for i = 1, #members do
    local score, id = string.match(members[i], '|(%d+)|([^|]+)$')
    -- A member that is none of ours names no job: it only leaves.
    if id then
      ids[#ids + 1] = id
      ready[#ready + 1] = score
      ready[#ready + 1] = id
      waiting[#waiting + 1] = queue.now
      waiting[#waiting + 1] = id
    end
  end
  redis.call('ZREM', keys.heldBy, unpack(members))
  if #ids == 0 then return #members end
  redis.call('ZREM', keys.held, unpack(ids))
  redis.call('ZADD', keys.ready, unpack(ready))
  redis.call('ZADD', keys.waiting, unpack(waiting))
  queue.emit('returned', ids)
  return #members
end
return { add = add, remove = remove, put_back = put_back }
