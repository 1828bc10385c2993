-- Brings trashed or suppressed jobs back to the dead-letter queue, as of when they died.
-- A script that includes this ends with book_dead().
--@include history
--@include deaths-of
--@include death-history
local function restore_all(ids, logs, json, op)
  if #ids == 0 then return end
  local deaths = deaths_of(ids)
  for i = 1, #ids do
    deaths[i] = deaths[i] or death_in_history(ids[i], now)
    deaths[i].operation = op or '-'
  end
  redis.call('ZREM', K_trash, unpack(ids))
  redis.call('ZREM', K_suppressed, unpack(ids))
  index_deaths(ids, deaths)
  remember_all(ids, logs, history_line('restored', 0, 0, '-', '-', '-', json))
end
