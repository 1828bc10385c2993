-- The counts of the dead (dead_counts.lua), made anew where they do not come to as many as there are: a walk over `dead`, in its
-- order. Its position is a field of the counts, so that every script knows which deaths are counted already.
-- `doubtful`: what upset the counts may have upset the index as well, by as many entries too few as too many: it is looked at, too.
local byte_order = require('redis.byte_order')
local clock = require('redis.clock')
local dead_counts = require('dead.dead_counts')
local death_index = require('dead.death_index')
local death_row = require('rows.death_row')
local group_owners = require('dead.group_owners')
local keys = require('keys')
local repair_death = require('maintenance.repair_death')
local repair_walk = require('maintenance.repair_walk')
local function restart(doubtful)
  dead_counts.commit()
  if doubtful then redis.call('HSET', keys.limits, 'repair:doubtful', '1') end
  redis.call('UNLINK', keys.deadCounts)
  redis.call('HSET', keys.deadCounts, '~', '0 -')
  repair_walk.add(1)
  repair_walk.continue()
end
-- Their groups, too: a lost group gets at least the times of its first and last dead letter.
local function see_group(death)
  local group, diedAt = death.group, death.diedAt
  local row = redis.call('HGET', keys.groups, group)
  local first, last, rest = string.match(row or '', '^(%d+) (%d+) (.+)$')
  if first and tonumber(first) <= tonumber(diedAt) and tonumber(last) >= tonumber(diedAt) then return end
  if not first then
    if not group_owners.has_room(death.tenant, redis.call('HLEN', keys.groups), true) then return end
    group_owners.take(group, death.tenant)
  end
  rest = rest or '0 ' .. math.floor(clock.now / 3600000) .. ':0' .. string.rep(',0', 23)
  redis.call('HSET', keys.groups, group, string.format('%.0f %.0f ', math.min(first or diedAt, diedAt), math.max(last or diedAt, diedAt)) .. rest)
end
local function apply(dead)
  local cursor = redis.call('HGET', keys.deadCounts, '~')
  if not cursor then
    local counted = tonumber(redis.call('HGET', keys.deadCounts, '#') or 0)
    if counted ~= dead then
      restart(counted ~= 0)
    elseif dead > 0 and redis.call('EXISTS', keys.groups) == 0 then
      restart(false)
    end
    return
  end
  dead_counts.commit()
  local diedAt, last = string.match(cursor, '^(%d+) (%S+)$')
  local from = byte_order.rank(keys.dead, diedAt or '0', last or '-', true)
  local doubtful = redis.call('HEXISTS', keys.limits, 'repair:doubtful') == 1
  local most = doubtful and 80 or 200
  local ids, seen, members = redis.call('ZRANGE', keys.dead, from, from + most - 1), {}, {}
  local rows = #ids > 0 and redis.call('HMGET', keys.deaths, unpack(ids)) or {}
  for i = 1, #ids do
    -- A row from another hand counts for nothing: then these counts will not come to as many either.
    local death = death_row.parse(rows[i] or '') or repair_death.read(ids[i], redis.call('ZSCORE', keys.dead, ids[i]))
    dead_counts.tally(death, 1)
    if doubtful then
      local n = #members
      members[n + 2], members[n + 4], members[n + 6], members[n + 8], members[n + 10] = death_index.facets(ids[i], death)
      for k = 1, 9, 2 do members[n + k] = 0 end
    end
    if not seen[death.group] then see_group(death) end
    seen[death.group] = death
  end
  for _, death in pairs(seen) do see_group(death) end
  if #members > 0 then repair_walk.add(redis.call('ZADD', keys.deadBy, unpack(members))) end
  dead_counts.commit()
  if #ids < most then
    redis.call('HDEL', keys.deadCounts, '~')
    redis.call('HDEL', keys.limits, 'repair:doubtful')
  else
    redis.call('HSET', keys.deadCounts, '~', string.format('%.0f', redis.call('ZSCORE', keys.dead, ids[#ids])) .. ' ' .. ids[#ids])
    repair_walk.continue()
  end
end
return { restart = restart, apply = apply }
