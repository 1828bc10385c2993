-- What is known of the dead, and their index by facets, made anew where it is lost.
--@include death-history
--@include mend-counts
-- The row that says why and when a job died, by its history where it is lost. A dead one it was lost for is counted as nobody knows.
local function mend_death(id, score)
  local death = death_of(id)
  if death then return death end
  death = death_in_history(id, score)
  write_death(id, death)
  mended = mended + 1
  return death, true
end
local function mend_shelf(shelf, key)
  local from = tonumber(stands_at(shelf))
  local entries = redis.call('ZRANGE', key, from, from + 49, 'WITHSCORES')
  local lost = false
  for i = 1, #entries, 2 do
    local id = entries[i]
    local death, anew = mend_death(id, tonumber(entries[i + 1]))
    if shelf == 'dead' then
      lost = lost or anew
      mended = mended + redis.call('ZADD', K_dead, 'XX', 'CH', death.diedAt, id)
      local a, b, c, d, e = members_of(id, death)
      mended = mended + redis.call('ZADD', K_deadBy, 0, a, 0, b, 0, c, 0, d, 0, e)
    end
  end
  if lost then recount_dead(true) end
  goes_on_after(shelf, from, #entries / 2, 50)
end
-- Whether a member of the index is what is known of its job.
local function is_true(member)
  local diedAt, id = string.match(member, '|(%d+)|([^|]+)$')
  if tonumber(redis.call('ZSCORE', K_dead, id or '') or -1) ~= tonumber(diedAt) then return false end
  local death = death_of(id)
  if not death then return true end
  local a, b, c, d, e = members_of(id, death)
  return member == a or member == b or member == c or member == d or member == e
end
local function mend_dead()
  local dead, suppressed, trash = redis.call('ZCARD', K_dead), redis.call('ZCARD', K_suppressed), redis.call('ZCARD', K_trash)
  local index = redis.call('ZCARD', K_deadBy)
  if redis.call('HLEN', K_deaths) < dead + suppressed + trash then
    mend_shelf('suppressed', K_suppressed)
    mend_shelf('trash', K_trash)
    mend_shelf('dead', K_dead)
  elseif index < 5 * dead then
    mend_shelf('dead', K_dead)
  elseif index > 5 * dead then
    local from, gone = tonumber(stands_at('index')), 0
    local members = redis.call('ZRANGE', K_deadBy, from, from + 199)
    for i = 1, #members do
      if not is_true(members[i]) then gone = gone + redis.call('ZREM', K_deadBy, members[i]) end
    end
    mended = mended + gone
    goes_on_after('index', from - gone, #members, 200)
  else
    mend_counts(dead)
  end
end
