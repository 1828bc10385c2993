-- Puts up to `limit` jobs that a scope holds back to their old places in line. Returns how many.
local function thaw(scope, limit)
  local members = redis.call('ZRANGE', K_heldBy, '[' .. scope .. '|', '(' .. scope .. '}', 'BYLEX', 'LIMIT', 0, limit)
  if #members == 0 then return 0 end
  local ids, ready, waiting = {}, {}, {}
  for i = 1, #members do
    local score, id = string.match(members[i], '|(%d+)|([^|]+)$')
    -- A member that is none of ours names no job: it only leaves.
    if id then
      ids[#ids + 1] = id
      ready[#ready + 1] = score
      ready[#ready + 1] = id
      waiting[#waiting + 1] = now
      waiting[#waiting + 1] = id
    end
  end
  redis.call('ZREM', K_heldBy, unpack(members))
  if #ids == 0 then return #members end
  redis.call('ZREM', K_held, unpack(ids))
  redis.call('ZADD', K_ready, unpack(ready))
  redis.call('ZADD', K_waiting, unpack(waiting))
  emit('returned', ids)
  return #members
end
