-- The dead-letter queue: `dead` by time, `deaths` with why, and `deadBy`, one lexicographic index for every facet:
-- "<facet>=<value>|<died at>|<id>", so that any facet is a range, newest or oldest first, and counting it is a rank.
local function facets_of(id, jobType, tenant, class, code, diedAt)
  local tail = '|' .. string.format('%013.0f', diedAt) .. '|' .. id
  return 'type=' .. jobType .. tail, 'tenant=' .. tenant .. tail, 'class=' .. class .. tail, 'code=' .. code .. tail
end
local function index_dead(id, jobType, tenant, class, code, diedAt)
  local a, b, c, d = facets_of(id, jobType, tenant, class, code, diedAt)
  redis.call('ZADD', K_dead, diedAt, id)
  redis.call('ZADD', K_deadBy, 0, a, 0, b, 0, c, 0, d)
end
local function bury(id, jobType, tenant, class, code, unique)
  index_dead(id, jobType, tenant, class, code, now)
  redis.call('HSET', K_deaths, id, now .. ' ' .. class .. ' ' .. code)
  if unique then free_unique(unique, id, 'cd') end
end
