-- Moves up to `limit` due jobs, oldest first, to ready. The move is one script, so any number of promoters is harmless.
-- Returns how many, and when the next falls due (ms, 0 none).
--@include ready
local function first_due(source)
  return tonumber(redis.call('ZRANGE', source, 0, 0, 'WITHSCORES')[2] or 0)
end
local function promote_due(limit)
  local moved, nextAt = 0, 0
  local firsts = { [K_scheduled] = first_due(K_scheduled), [K_retry] = first_due(K_retry) }
  for _, source in ipairs({ K_scheduled, K_retry }) do
    local first = firsts[source]
    if first > 0 and first <= now then
      -- Where both have something due, neither takes all the room.
      local other = firsts[source == K_retry and K_scheduled or K_retry]
      local room = source == K_scheduled and other > 0 and other <= now and math.ceil(limit / 2) or limit - moved
      local due = redis.call('ZRANGE', source, '-inf', now, 'BYSCORE', 'LIMIT', 0, room)
      redis.call('ZREM', source, unpack(due))
      make_ready(due)
      emit(source == K_retry and 'retried' or 'promoted', due)
      moved = moved + #due
      first = first_due(source)
    end
    if first > 0 and (nextAt == 0 or first < nextAt) then nextAt = first end
  end
  return moved, nextAt
end
