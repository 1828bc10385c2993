-- groups: group -> "<first seen> <last seen> <total> <hour>:<c0>,…,<c23>": how many died in all, in the hour `hour` (since 1970),
-- which is c23, and in each of the 23 before it. At most 2,000 a queue, 500 made by one tenant. Beyond that a new one falls together
-- with all of its (tenant,) type, class and code; and if that is new, too, it may have no row here.
-- Counts are booked at the end, once a group.
local clock = require('redis.clock')
local group_name = require('dead.group_name')
local group_owners = require('dead.group_owners')
local keys = require('keys')
local SAME_HOUR = '^(' .. string.rep('%d+,', 23) .. ')(%d+)$'
-- `groups_most`: how many there would be, were all that are named here new.
local group_names, group_tally, group_tenants, group_commons, groups_most = {}, {}, {}, {}, nil
-- What a group without a place falls together with, as a print.
local function common_print(tenant, total)
  return (total >= group_owners.GROUPS_MAX or tenant == 'default') and '-' or '- ' .. tenant
end
local function find(death, class, code, print)
  local key = death.tenant .. '\n' .. death.type .. '\n' .. class .. '\n' .. code .. '\n' .. print
  local group = group_names[key]
  if not group then
    group = group_name.of(death.type, class, code, print)
    groups_most = (groups_most or redis.call('HLEN', keys.groups)) + 1
    if groups_most > group_owners.TENANT_MAX and print ~= '-' and redis.call('HEXISTS', keys.groups, group) == 0 then
      local total = redis.call('HLEN', keys.groups)
      if not group_owners.has_room(death.tenant, total) then
        print = common_print(death.tenant, total)
        group = group_name.of(death.type, class, code, print)
        group_commons[group] = true
      end
    end
    if print == '-' then group_commons[group] = true end
    group_names[key] = group
  end
  group_tenants[group] = group_tenants[group] or death.tenant
  return group
end
local function count(group)
  group_tally[group] = (group_tally[group] or 0) + 1
end
-- The row of a group after `n` more died now.
local function grown(row, n)
  local hour = math.floor(clock.now / 3600000)
  local first, last, total, seenHour, counts = string.match(row or '', '^(%d+) (%d+) (%d+) (%d+):([%d,]+)$')
  -- Mostly others died of it within this hour: only the last count grows.
  local before, count = string.match(tonumber(seenHour) == hour and counts or '', SAME_HOUR)
  if before then
    return string.format('%d %d %d %d:', first, math.max(clock.now, last), total + n, hour) .. before .. string.format('%d', count + n)
  end
  local c = {}
  for one in string.gmatch(counts or '', '%d+') do c[#c + 1] = one end
  -- A clock that went back counts in the latest hour there is.
  local ahead = #c == 24 and hour - tonumber(seenHour) or 24
  if ahead > 0 then
    for i = 1, 24 do c[i] = c[i + ahead] or '0' end
  else
    hour = tonumber(seenHour)
  end
  c[24] = string.format('%.0f', c[24] + n)
  return string.format('%.0f %.0f %.0f %.0f:', first or clock.now, math.max(clock.now, last or 0), (total or 0) + n, hour) .. table.concat(c, ',')
end
local function commit()
  local groups, rows = {}, {}
  for group in pairs(group_tally) do groups[#groups + 1] = group end
  if #groups == 0 then return end
  local old, total = redis.call('HMGET', keys.groups, unpack(groups)), nil
  for i = 1, #groups do
    local group = groups[i]
    local known = old[i]
    if not known then
      total = total or redis.call('HLEN', keys.groups)
      known = group_owners.has_room(group_tenants[group], total, group_commons[group])
      if known then
        group_owners.take(group, group_tenants[group])
        total = total + 1
      end
    end
    if known then rows[#rows + 1], rows[#rows + 2] = group, grown(old[i], group_tally[group]) end
  end
  if #rows > 0 then redis.call('HSET', keys.groups, unpack(rows)) end
  group_tally = {}
end
return { find = find, count = count, commit = commit }
