-- Many deaths at once: a command for all of them, where bury and unbury need several for each.
--@include death
-- `deaths` of jobs that are dead, in the order of their ids, as text and taken apart; false for one whose row is lost.
local function deaths_of(ids)
  local rows, deaths = #ids > 0 and redis.call('HMGET', K_deaths, unpack(ids)) or {}, {}
  for i = 1, #ids do deaths[i] = rows[i] and parse_death(rows[i]) or false end
  return deaths, rows
end
-- Takes those that are dead out of `dead` and its indexes; one that is suppressed or in the trash is in none of them. Without
-- its row nobody knows where the indexes have one: maintenance sees that they count one too many. `all`: it is known that all of
-- them are dead.
local function unindex_deaths(ids, deaths, all)
  if #ids == 0 then return end
  local scores, members, n = not all and redis.call('ZMSCORE', K_dead, unpack(ids)), {}, 0
  redis.call('ZREM', K_dead, unpack(ids))
  for i = 1, #ids do
    local death = deaths[i]
    if death and (all or scores[i]) then
      members[n + 1], members[n + 2], members[n + 3], members[n + 4], members[n + 5] = members_of(ids[i], death)
      n = n + 5
      count_dead(ids[i], death, -1)
    end
  end
  if #members > 0 then redis.call('ZREM', K_deadBy, unpack(members)) end
end
-- The way back: as dead as they were, and when they were.
local function index_deaths(ids, deaths)
  if #ids == 0 then return end
  local dead, members, rows = {}, {}, {}
  for i = 1, #ids do
    local death = deaths[i]
    dead[2 * i - 1], dead[2 * i] = death.diedAt, ids[i]
    local n = #members
    members[n + 2], members[n + 4], members[n + 6], members[n + 8], members[n + 10] = members_of(ids[i], death)
    for k = 1, 9, 2 do members[n + k] = 0 end
    rows[2 * i - 1], rows[2 * i] = ids[i], death_row(death)
    count_dead(ids[i], death, 1)
  end
  redis.call('ZADD', K_dead, unpack(dead))
  redis.call('ZADD', K_deadBy, unpack(members))
  redis.call('HSET', K_deaths, unpack(rows))
end
