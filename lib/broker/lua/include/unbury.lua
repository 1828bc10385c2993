-- Takes a job out of the dead-letter queue and its index. False when it is not there.
--@include row
local function death_of(id)
  local row = redis.call('HGET', K_deaths, id)
  if not row then return nil end
  local diedAt, class, code = string.match(row, '^(%d+) (%S+) (%S+)$')
  return tonumber(diedAt), class, code
end
local function type_and_tenant(row)
  local _, _, _, jobType, tenant = header(row or '')
  return jobType or 'unknown', tenant or 'unknown'
end
local function unbury(id, row)
  if redis.call('ZREM', K_dead, id) == 0 then return false end
  local diedAt, class, code = death_of(id)
  if diedAt then
    local jobType, tenant = type_and_tenant(row)
    redis.call('ZREM', K_deadBy, facets_of(id, jobType, tenant, class, code, diedAt))
  end
  return true
end
