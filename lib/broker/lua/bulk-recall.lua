-- Takes jobs that an operation put back, and that still wait, to the dead-letter queue again: as dead as they were, and no new
-- failure of their group.
-- KEYS: jobs ready waiting retry held heldBy attempts dead deadBy deaths deadCounts history driven unique uniqueUntil counters minutes events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: the operation that put them back ('' for any)
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include rows-of
--@include row
--@include attempts
--@include history
--@include held
--@include unique
--@include driven
--@include deaths-of
--@include death-history
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local rows, logs, taken = rows_of(ids, CHUNK_BYTES)
local driven = taken > 0 and redis.call('HMGET', K_driven, unpack(ids, 1, taken)) or {}
local function waits(i)
  local stamp = tonumber(stamp_of(i))
  for _, source in ipairs({ K_ready, K_retry, K_held }) do
    local score = redis.call('ZSCORE', source, ids[i])
    if score then return tonumber(score) == stamp end
  end
  return false
end
local going, deaths = {}, {}
for i = 1, taken do
  local by, death = string.match(driven[i] or '', '^(%S+) ?(.*)$')
  if by and (word == '' or by == word) and waits(i) then
    going[#going + 1] = i
    deaths[#going] = parse_death(death) or death_in_history(ids[i], now)
  else
    skip('changed', ids[i])
  end
end
local moved = picked(ids, going)
if #moved > 0 then
  local before, tried = redis.call('HMGET', K_attempts, unpack(moved)), {}
  redis.call('ZREM', K_ready, unpack(moved))
  redis.call('ZREM', K_waiting, unpack(moved))
  redis.call('ZREM', K_retry, unpack(moved))
  for k = 1, #moved do
    local id = moved[k]
    local _, _, _, jobType, tenant, unique = header(rows[going[k]] or '')
    unhold(id, jobType or 'unknown', tenant or 'unknown')
    settle_driven(id, 'recalled')
    free_unique(unique, id, 'cd')
    deaths[k].operation = op
    local _, deliveries, losses, redrives, token = tries(before[k])
    tried[2 * k - 1], tried[2 * k] = id, tries_row(deaths[k].attempt, deliveries or 0, losses or 0, redrives or 0, token or '-')
  end
  redis.call('HSET', K_attempts, unpack(tried))
  index_deaths(moved, deaths)
  remember_all(moved, picked(logs, going), history_line('recalled', 0, 0, '-', '-', '-', json))
end
book_dead()
book_driven()
return ends(taken, 'recalled', moved)
