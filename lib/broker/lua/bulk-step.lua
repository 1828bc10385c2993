-- One step of an operation on the dead-letter queue. The jobs, the counts and the cursor move together or not at all,
-- so a runner may die anywhere and another goes on from where it was: no job is moved twice, none is skipped.
-- operations: id -> "<running|done|cancelled> <scanned> <moved> <skipped> <last member>".
-- KEYS: jobs ready waiting attempts dead deadBy deaths suppressed trash history unique uniqueUntil fair limits config counters minutes events wake operations
-- ARGV: clock, operation id, kind (redrive|purge), died since, cut-off, limit (1..200), json (who and why), driver ("facet=value", or "facet=" for all of it), then other facets
-- REPLY: status, scanned, moved, skipped (all of this queue so far)
--@include count
--@include emit
--@include wake
--@include attempts
--@include history
--@include bury
--@include ready
--@include redrive
--@include shelve
local op, kind, since, cutoff = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local limit, driver = tonumber(ARGV[6]), ARGV[8]
local status, scanned, moved, skipped, cursor = 'running', 0, 0, 0, ''
local progress = redis.call('HGET', K_operations, op)
if progress then
  local s, a, b, c, d = string.match(progress, '^(%S+) (%d+) (%d+) (%d+) ?(.*)$')
  status, scanned, moved, skipped, cursor = s, tonumber(a), tonumber(b), tonumber(c), d
end
if status ~= 'running' then return { status, scanned, moved, skipped } end
local whole = string.sub(driver, -1) == '='
local from = cursor ~= '' and '(' .. cursor or '[' .. driver .. (whole and '' or '|' .. string.format('%013.0f', since))
local upto = whole and '(' .. string.sub(driver, 1, -2) .. '>' or '(' .. driver .. '|' .. string.format('%013.0f', cutoff + 1)
local members = redis.call('ZRANGE', K_deadBy, from, upto, 'BYLEX', 'LIMIT', 0, limit)
local touched = {}
for i = 1, #members do
  local tail = string.match(members[i], '(|%d+|[^|]+)$')
  local diedAt, id = string.match(tail, '^|(%d+)|(.+)$')
  local fits = tonumber(diedAt) >= since and tonumber(diedAt) <= cutoff
  for f = 9, #ARGV do
    if fits and not redis.call('ZSCORE', K_deadBy, ARGV[f] .. tail) then fits = false end
  end
  scanned = scanned + 1
  if fits then
    local outcome
    if kind == 'redrive' then outcome = redrive_one(id, ARGV[7], 0) else outcome = shelve_one(id, K_trash, 'purged', ARGV[7], 0) end
    if outcome == 'ok' then
      moved = moved + 1
      touched[#touched + 1] = id
    else
      skipped = skipped + 1
    end
  end
end
if #members > 0 then cursor = members[#members] end
if #members < limit then status = 'done' end
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('ZREM', K_dead, '')
redis.call('HSET', K_operations, op, status .. ' ' .. scanned .. ' ' .. moved .. ' ' .. skipped .. ' ' .. cursor)
if #touched > 0 then
  if kind == 'redrive' then count('redriven', #touched) end
  emit(kind == 'redrive' and 'redriven' or 'purged', touched)
  wake()
end
return { status, scanned, moved, skipped }
