-- Moves due jobs, oldest first, to ready. The move is one script, so any number of promoters is harmless.
-- Returns how many, and when the next falls due (ms, 0 none).
--@include ready
local function promote_due(limit)
  local moved, nextAt = 0, 0
  for _, source in ipairs({ K_scheduled, K_retry }) do
    local first = redis.call('ZRANGE', source, 0, 0, 'WITHSCORES')[2]
    if first and tonumber(first) <= now then
      local due = redis.call('ZRANGE', source, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
      redis.call('ZREM', source, unpack(due))
      make_ready(due)
      emit(source == K_retry and 'retried' or 'promoted', due)
      moved = moved + #due
      first = redis.call('ZRANGE', source, 0, 0, 'WITHSCORES')[2]
    end
    local at = first and tonumber(first) or 0
    if at > 0 and (nextAt == 0 or at < nextAt) then nextAt = at end
  end
  return moved, nextAt
end
