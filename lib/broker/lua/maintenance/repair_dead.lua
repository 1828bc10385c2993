-- Restores lost rows of `deaths` and the index by facets.
local death_index = require('dead.death_index')
local keys = require('keys')
local repair_counts = require('maintenance.repair_counts')
local repair_death = require('maintenance.repair_death')
local repair_walk = require('maintenance.repair_walk')
local function shelf(shelf, key)
  local from = tonumber(repair_walk.position(shelf))
  local entries = redis.call('ZRANGE', key, from, from + 49, 'WITHSCORES')
  local lost = false
  for i = 1, #entries, 2 do
    local id = entries[i]
    local death, anew = repair_death.read(id, tonumber(entries[i + 1]))
    if shelf == 'dead' then
      lost = lost or anew
      repair_walk.add(redis.call('ZADD', keys.dead, 'XX', 'CH', death.diedAt, id))
      local a, b, c, d, e = death_index.facets(id, death)
      repair_walk.add(redis.call('ZADD', keys.deadBy, 0, a, 0, b, 0, c, 0, d, 0, e))
    end
  end
  if lost then repair_counts.restart(true) end
  repair_walk.save_after(shelf, from, #entries / 2, 50)
end
-- Whether a member of the index agrees with the row of its job.
local function is_true(member)
  local diedAt, id = string.match(member, '|(%d+)|([^|]+)$')
  if tonumber(redis.call('ZSCORE', keys.dead, id or '') or -1) ~= tonumber(diedAt) then return false end
  local death = death_index.read(id)
  if not death then return true end
  local a, b, c, d, e = death_index.facets(id, death)
  return member == a or member == b or member == c or member == d or member == e
end
local function apply()
  local dead, suppressed, trash = redis.call('ZCARD', keys.dead), redis.call('ZCARD', keys.suppressed), redis.call('ZCARD', keys.trash)
  local index = redis.call('ZCARD', keys.deadBy)
  if redis.call('HLEN', keys.deaths) < dead + suppressed + trash then
    shelf('suppressed', keys.suppressed)
    shelf('trash', keys.trash)
    shelf('dead', keys.dead)
  elseif index < 5 * dead then
    shelf('dead', keys.dead)
  elseif index > 5 * dead then
    local from, gone = tonumber(repair_walk.position('index')), 0
    local members = redis.call('ZRANGE', keys.deadBy, from, from + 199)
    for i = 1, #members do
      if not is_true(members[i]) then gone = gone + redis.call('ZREM', keys.deadBy, members[i]) end
    end
    repair_walk.add(gone)
    repair_walk.save_after('index', from - gone, #members, 200)
  else
    repair_counts.apply(dead)
  end
end
return { apply = apply }
