-- groups: group -> "<first seen> <last seen> <total> <hour>:<c0>,…,<c23>": how many died in all, in the hour `hour` (since 1970),
-- which is c23, and in each of the 23 before it. At most 2,000 a queue. Beyond that a new one falls together with all of its
-- type, class and code; and if that is new, too, it has no row here.
-- Counts are booked at the end, once a group.
local clock = require('redis.clock')
local group_name = require('dead.group_name')
local keys = require('keys')
local GROUPS_MAX = 2000
local SAME_HOUR = '^(' .. string.rep('%d+,', 23) .. ')(%d+)$'
-- `groups_room`: how many more there may be, were all that are named here new.
local group_names, group_tally, groups_room = {}, {}, nil
local function find(jobType, class, code, print)
  local key = jobType .. '\n' .. class .. '\n' .. code .. '\n' .. print
  local group = group_names[key]
  if not group then
    group = group_name.of(jobType, class, code, print)
    groups_room = (groups_room or GROUPS_MAX - redis.call('HLEN', keys.groups)) - 1
    if groups_room < 0 and print ~= '-' and redis.call('HEXISTS', keys.groups, group) == 0 and redis.call('HLEN', keys.groups) >= GROUPS_MAX then
      group = group_name.of(jobType, class, code, '-')
    end
    group_names[key] = group
  end
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
  local old, room = redis.call('HMGET', keys.groups, unpack(groups)), nil
  for i = 1, #groups do
    if not old[i] then room = (room or GROUPS_MAX - redis.call('HLEN', keys.groups)) - 1 end
    if old[i] or room >= 0 then rows[#rows + 1], rows[#rows + 2] = groups[i], grown(old[i], group_tally[groups[i]]) end
  end
  if #rows > 0 then redis.call('HSET', keys.groups, unpack(rows)) end
  group_tally = {}
end
return { GROUPS_MAX = GROUPS_MAX, find = find, count = count, commit = commit }
