-- groups: group -> "<first seen> <last seen> <total> <hour>:<c0>,…,<c23>": how many died in all, in the hour `hour` (since 1970),
-- which is c23, and in each of the 23 before it. At most 2,000 a queue. Beyond that a new one falls together with all of its
-- type, class and code; and if that is new, too, it has no row here.
-- Counts are booked at the end, once a group: a script that includes this ends with book_groups().
--@include group-name
local GROUPS_MAX = 2000
local group_names, groups_full, group_tally = {}, nil, {}
local function group_of(jobType, class, code, print)
  local key = jobType .. '\n' .. class .. '\n' .. code .. '\n' .. print
  local group = group_names[key]
  if not group then
    group = name_of(jobType, class, code, print)
    if print ~= '-' and redis.call('HEXISTS', K_groups, group) == 0 and redis.call('HLEN', K_groups) >= GROUPS_MAX then
      group = name_of(jobType, class, code, '-')
    end
    group_names[key] = group
  end
  return group
end
local function count_group(group)
  group_tally[group] = (group_tally[group] or 0) + 1
end
-- The row of a group after `n` more died now.
local function grown(row, n)
  local hour = math.floor(now / 3600000)
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
  return string.format('%.0f %.0f %.0f %.0f:', first or now, math.max(now, last or 0), (total or 0) + n, hour) .. table.concat(c, ',')
end
local function book_groups()
  for group, n in pairs(group_tally) do
    local row = redis.call('HGET', K_groups, group)
    if row or redis.call('HLEN', K_groups) < GROUPS_MAX then redis.call('HSET', K_groups, group, grown(row, n)) end
  end
  group_tally = {}
end
