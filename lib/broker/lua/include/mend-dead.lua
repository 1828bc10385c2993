-- Why and when a job died, by its history, where the row that says so is lost; and the index by facets, made anew from both.
local function mend_death(id, score)
  local diedAt, class, code = string.match(redis.call('HGET', K_deaths, id) or '', '^(%d+) (%S+) (%S+)$')
  if diedAt then return class, code, tonumber(diedAt) end
  local log = redis.call('HGET', K_history, id)
  for line in string.gmatch(log or '', '[^\n]+') do
    local at, lineClass, lineCode = string.match(line, '^(%d+) dead %d+ %d+ %S+ (%S+) (%S+) ')
    if at then diedAt, class, code = tonumber(at), lineClass, lineCode end
  end
  diedAt, class, code = diedAt or score, class or 'permanent', code or 'UNKNOWN'
  redis.call('HSET', K_deaths, id, string.format('%.0f', diedAt) .. ' ' .. class .. ' ' .. code)
  mended = mended + 1
  return class, code, diedAt
end
local function mend_shelf(shelf, key)
  local from = tonumber(stands_at(shelf))
  local entries = redis.call('ZRANGE', key, from, from + 49, 'WITHSCORES')
  for i = 1, #entries, 2 do
    local id = entries[i]
    local row = redis.call('HGET', K_jobs, id)
    if row then
      local class, code, diedAt = mend_death(id, tonumber(entries[i + 1]))
      if shelf == 'dead' then
        local _, _, _, jobType, tenant = header(row)
        local before = redis.call('ZCARD', K_deadBy)
        index_dead(id, jobType or 'unknown', tenant or 'unknown', class, code, diedAt)
        mended = mended + redis.call('ZCARD', K_deadBy) - before
      end
    end
  end
  goes_on_after(shelf, from, #entries / 2, 50)
end
local function mend_dead()
  local dead, suppressed, trash = redis.call('ZCARD', K_dead), redis.call('ZCARD', K_suppressed), redis.call('ZCARD', K_trash)
  local index = redis.call('ZCARD', K_deadBy)
  if redis.call('HLEN', K_deaths) < dead + suppressed + trash then
    mend_shelf('suppressed', K_suppressed)
    mend_shelf('trash', K_trash)
    mend_shelf('dead', K_dead)
  elseif index < 4 * dead then
    mend_shelf('dead', K_dead)
  elseif index > 4 * dead then
    local from, gone = tonumber(stands_at('index')), 0
    local members = redis.call('ZRANGE', K_deadBy, from, from + 199)
    for i = 1, #members do
      local diedAt, id = string.match(members[i], '|(%d+)|([^|]+)$')
      if tonumber(redis.call('ZSCORE', K_dead, id or '') or -1) ~= tonumber(diedAt) then
        gone = gone + redis.call('ZREM', K_deadBy, members[i])
      end
    end
    mended = mended + gone
    goes_on_after('index', from - gone, #members, 200)
  end
end
