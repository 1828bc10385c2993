-- groups: group -> "<first seen> <last seen> <total> <hour>:<c0>,…,<c23>": how many died in all, in the hour `hour` (since 1970),
-- which is c23, and in each of the 23 before it. At most 2,000 a queue. Beyond that a new one falls together with all of its
-- type, class and code; and if that is new, too, it has no row here.
-- Counts are booked at the end, once a group.
local clock = require('redis.clock')
local group_name = require('dead.group_name')
local keys = require('keys')
local GROUPS_MAX = 2000
-- By group: its row as it was read (false: it has none), and how many died now.
local group_names, group_rows, group_tally = {}, {}, {}
local function find(jobType, class, code, print)
  local key = jobType .. '\n' .. class .. '\n' .. code .. '\n' .. print
  local group = group_names[key]
  if not group then
    group = group_name.of(jobType, class, code, print)
    group_rows[group] = redis.call('HGET', keys.groups, group)
    if print ~= '-' and not group_rows[group] and redis.call('HLEN', keys.groups) >= GROUPS_MAX then
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
  for group, n in pairs(group_tally) do
    local row = group_rows[group]
    if row == nil then row = redis.call('HGET', keys.groups, group) end
    if row or redis.call('HLEN', keys.groups) < GROUPS_MAX then redis.call('HSET', keys.groups, group, grown(row, n)) end
  end
  group_rows, group_tally = {}, {}
end
return { GROUPS_MAX = GROUPS_MAX, find = find, count = count, commit = commit }
