-- Moves due jobs, oldest first, to ready. The move is one script, so any number of promoters is harmless.
--@include ready
local function promote_due(limit)
  local moved = 0
  for _, source in ipairs({ K_scheduled, K_retry }) do
    local due = redis.call('ZRANGE', source, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
    if #due > 0 then
      redis.call('ZREM', source, unpack(due))
      make_ready(due)
      emit(source == K_retry and 'retried' or 'promoted', due)
      moved = moved + #due
    end
  end
  return moved
end
