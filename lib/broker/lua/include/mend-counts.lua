-- The counts of the dead (count-dead.lua), made anew where they do not come to as many as there are: a walk over `dead`, in its
-- order, whose stand is in the counts themselves, so that every script knows what is counted already.
-- `doubtful`: what upset the counts may have upset the index as well, by as many entries too few as too many: it is looked at, too.
local function recount_dead(doubtful)
  book_dead()
  if doubtful then redis.call('HSET', K_limits, 'mend:doubtful', '1') end
  redis.call('UNLINK', K_deadCounts)
  redis.call('HSET', K_deadCounts, '~', '0 -')
  mended = mended + 1
  unfinished = true
end
-- Their groups, too: of one that is lost it is known at least between when its dead letters died.
local function see_group(group, diedAt)
  local row = redis.call('HGET', K_groups, group)
  local first, last, rest = string.match(row or '', '^(%d+) (%d+) (.+)$')
  if first and tonumber(first) <= tonumber(diedAt) and tonumber(last) >= tonumber(diedAt) then return end
  if not first and redis.call('HLEN', K_groups) >= GROUPS_MAX then return end
  rest = rest or '0 ' .. math.floor(now / 3600000) .. ':0' .. string.rep(',0', 23)
  redis.call('HSET', K_groups, group, string.format('%.0f %.0f ', math.min(first or diedAt, diedAt), math.max(last or diedAt, diedAt)) .. rest)
end
local function mend_counts(dead)
  local cursor = redis.call('HGET', K_deadCounts, '~')
  if not cursor then
    local counted = tonumber(redis.call('HGET', K_deadCounts, '#') or 0)
    if counted ~= dead then
      recount_dead(counted ~= 0)
    elseif dead > 0 and redis.call('EXISTS', K_groups) == 0 then
      recount_dead(false)
    end
    return
  end
  book_dead()
  local diedAt, last = string.match(cursor, '^(%d+) (%S+)$')
  local from = rank_in(K_dead, diedAt or '0', last or '-', true)
  local doubtful = redis.call('HEXISTS', K_limits, 'mend:doubtful') == 1
  local most = doubtful and 80 or 200
  local ids, seen, members = redis.call('ZRANGE', K_dead, from, from + most - 1), {}, {}
  local rows = #ids > 0 and redis.call('HMGET', K_deaths, unpack(ids)) or {}
  for i = 1, #ids do
    -- A row from another hand counts for nothing: then these counts will not come to as many either.
    local death = parse_death(rows[i] or '') or mend_death(ids[i], redis.call('ZSCORE', K_dead, ids[i]))
    tally_dead(death, 1)
    if doubtful then
      local n = #members
      members[n + 2], members[n + 4], members[n + 6], members[n + 8], members[n + 10] = members_of(ids[i], death)
      for k = 1, 9, 2 do members[n + k] = 0 end
    end
    if not seen[death.group] then see_group(death.group, death.diedAt) end
    seen[death.group] = death.diedAt
  end
  for group, at in pairs(seen) do see_group(group, at) end
  if #members > 0 then mended = mended + redis.call('ZADD', K_deadBy, unpack(members)) end
  book_dead()
  if #ids < most then
    redis.call('HDEL', K_deadCounts, '~')
    redis.call('HDEL', K_limits, 'mend:doubtful')
  else
    redis.call('HSET', K_deadCounts, '~', string.format('%.0f', redis.call('ZSCORE', K_dead, ids[#ids])) .. ' ' .. ids[#ids])
    unfinished = true
  end
end
