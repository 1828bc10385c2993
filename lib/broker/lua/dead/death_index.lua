-- Dead letters: `dead` by time, `deaths` with a row for each (rows/death_row.lua), also while a job is suppressed or in the trash.
-- deadBy: one lexicographic index for five facets: "<facet>=<value>|<died at>|<id>", so that any value of one is a range,
-- newest or oldest first, and counting it is a rank.
local attempt_row = require('rows.attempt_row')
local dead_counts = require('dead.dead_counts')
local death_row = require('rows.death_row')
local group_name = require('dead.group_name')
local keys = require('keys')
local function read(id)
  return death_row.parse(redis.call('HGET', keys.deaths, id))
end
local function write(id, death)
  redis.call('HSET', keys.deaths, id, death_row.format(death))
end
local function facets(id, death)
  -- Thirteen digits, as every time between 2001 and 2286 has.
  local diedAt = #death.diedAt == 13 and death.diedAt or string.format('%013.0f', death.diedAt)
  local tail = '|' .. diedAt .. '|' .. id
  return 'type=' .. death.type .. tail, 'tenant=' .. death.tenant .. tail, 'class=' .. death.class .. tail,
    'code=' .. death.code .. tail, 'group=' .. death.group .. tail
end
-- Into `dead` and its indexes, as of when it died.
local function add(id, death)
  local a, b, c, d, e = facets(id, death)
  redis.call('ZADD', keys.dead, death.diedAt, id)
  redis.call('ZADD', keys.deadBy, 0, a, 0, b, 0, c, 0, d, 0, e)
  write(id, death)
  dead_counts.count(id, death, 1)
end
-- Takes a job out of the dead-letter queue and its indexes. Returns its death, or nil when it is not there.
local function remove(id)
  if redis.call('ZREM', keys.dead, id) == 0 then return nil end
  local death = read(id)
  -- Without the row its index members are not known: maintenance sees that they are one too many.
  if not death then return {} end
  redis.call('ZREM', keys.deadBy, facets(id, death))
  dead_counts.count(id, death, -1)
  return death
end
-- Many deaths at once: one command for all of them.
-- `deaths` of jobs that are dead, in the order of their ids, parsed and as text; false for a lost row.
local function read_all(ids)
  local rows, deaths = #ids > 0 and redis.call('HMGET', keys.deaths, unpack(ids)) or {}, {}
  for i = 1, #ids do deaths[i] = rows[i] and death_row.parse(rows[i]) or false end
  return deaths, rows
end
-- Takes those that are dead out of `dead` and its indexes; one that is suppressed or in the trash is in none of them. Without
-- its row its index members are not known: maintenance sees that they are one too many. `all`: all of
-- them are dead.
local function remove_all(ids, deaths, all)
  if #ids == 0 then return end
  local scores, members, n = not all and redis.call('ZMSCORE', keys.dead, unpack(ids)), {}, 0
  redis.call('ZREM', keys.dead, unpack(ids))
  for i = 1, #ids do
    local death = deaths[i]
    if death and (all or scores[i]) then
      members[n + 1], members[n + 2], members[n + 3], members[n + 4], members[n + 5] = facets(ids[i], death)
      n = n + 5
      dead_counts.count(ids[i], death, -1)
    end
  end
  if #members > 0 then redis.call('ZREM', keys.deadBy, unpack(members)) end
end
-- The way back: as dead as they were, and when they were.
local function add_all(ids, deaths)
  if #ids == 0 then return end
  local dead, members, rows = {}, {}, {}
  for i = 1, #ids do
    local death = deaths[i]
    dead[2 * i - 1], dead[2 * i] = death.diedAt, ids[i]
    local n = #members
    members[n + 2], members[n + 4], members[n + 6], members[n + 8], members[n + 10] = facets(ids[i], death)
    for k = 1, 9, 2 do members[n + k] = 0 end
    rows[2 * i - 1], rows[2 * i] = ids[i], death_row.format(death)
    dead_counts.count(ids[i], death, 1)
  end
  redis.call('ZADD', keys.dead, unpack(dead))
  redis.call('ZADD', keys.deadBy, unpack(members))
  redis.call('HSET', keys.deaths, unpack(rows))
end
-- Why and when a job died, from its history: for a job without a row in `deaths`, because it was lost, or removed by a re-drive.
-- `at`: when it died, should its history not say.
local function from_history(id, at)
  local death = death_row.from_job(redis.call('HGET', keys.jobs, id))
  local print = '-'
  for line in string.gmatch(redis.call('HGET', keys.history, id) or '', '[^\n]+') do
    local diedAt, class, code, json = string.match(line, '^(%d+) dead %d+ %d+ %S+ (%S+) (%S+) (.*)$')
    if diedAt then death.diedAt, death.class, death.code, print = diedAt, class, code, group_name.fingerprint(json) end
  end
  death.diedAt, death.class, death.code = death.diedAt or string.format('%.0f', at), death.class or 'permanent', death.code or 'UNKNOWN'
  death.group = group_name.of(death.type, death.class, death.code, print)
  death.attempt, death.operation = (attempt_row.parse(redis.call('HGET', keys.attempts, id))), '-'
  return death
end
return { read = read, write = write, facets = facets, add = add, remove = remove, read_all = read_all, remove_all = remove_all, add_all = add_all, from_history = from_history }
