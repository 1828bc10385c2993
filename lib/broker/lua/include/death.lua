-- deaths: id -> "<diedAt> <class> <code> <group> <type> <version> <tenant> <priority> <attempt> <operation>": what is known of a
-- dead job without reading it; kept while it is suppressed or in the trash, for a way back. `operation`: the one that moved it
-- to where it is, or had put it back before it died again; else "-".
-- deadBy: one lexicographic index for five facets: "<facet>=<value>|<died at>|<id>", so that any value of one is a range,
-- newest or oldest first, and counting it is a rank.
--@include row
--@include count-dead
local function parse_death(row)
  local diedAt, class, code, group, jobType, version, tenant, priority, attempt, operation =
    string.match(row or '', '^(%d+) (%S+) (%S+) (%S+) (%S+) (%d+) (%S+) (%-?%d+) (%d+) (%S+)$')
  return diedAt and { diedAt = diedAt, class = class, code = code, group = group, type = jobType, version = version,
    tenant = tenant, priority = priority, attempt = attempt, operation = operation }
end
local function death_of(id)
  return parse_death(redis.call('HGET', K_deaths, id))
end
-- What the row of a job says of it; of one that cannot be read nothing is known. diedAt and the rest are the caller's to add.
local function facts_of(row)
  local priority, _, _, jobType, tenant, unique, version = header(row or '')
  return { type = jobType or 'unknown', version = version or '0', tenant = tenant or 'unknown', priority = priority or '0' }, unique
end
local function death_row(death)
  return death.diedAt .. ' ' .. death.class .. ' ' .. death.code .. ' ' .. death.group .. ' ' .. death.type .. ' '
    .. death.version .. ' ' .. death.tenant .. ' ' .. death.priority .. ' ' .. death.attempt .. ' ' .. death.operation
end
local function write_death(id, death)
  redis.call('HSET', K_deaths, id, death_row(death))
end
local function members_of(id, death)
  -- Thirteen digits, as every time between 2001 and 2286 has.
  local diedAt = #death.diedAt == 13 and death.diedAt or string.format('%013.0f', death.diedAt)
  local tail = '|' .. diedAt .. '|' .. id
  return 'type=' .. death.type .. tail, 'tenant=' .. death.tenant .. tail, 'class=' .. death.class .. tail,
    'code=' .. death.code .. tail, 'group=' .. death.group .. tail
end
-- Into `dead` and its indexes, as of when it died.
local function index_dead(id, death)
  local a, b, c, d, e = members_of(id, death)
  redis.call('ZADD', K_dead, death.diedAt, id)
  redis.call('ZADD', K_deadBy, 0, a, 0, b, 0, c, 0, d, 0, e)
  write_death(id, death)
  count_dead(id, death, 1)
end
