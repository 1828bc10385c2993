-- Takes dead (or suppressed) jobs into `suppressed` or `trash`. Their deaths stay on record for a way back, each with the
-- operation that did this, if one did. A script that includes this ends with book_dead().
--@include history
--@include deaths-of
local function shelve_all(ids, logs, target, kind, json, op)
  if #ids == 0 then return end
  local deaths = deaths_of(ids)
  unindex_deaths(ids, deaths)
  redis.call('ZREM', K_suppressed, unpack(ids))
  local shelved, rows = {}, {}
  for i = 1, #ids do
    shelved[2 * i - 1], shelved[2 * i] = string.format('%.0f', now), ids[i]
    if deaths[i] and deaths[i].operation ~= (op or '-') then
      deaths[i].operation = op or '-'
      rows[#rows + 1] = ids[i]
      rows[#rows + 1] = death_row(deaths[i])
    end
  end
  redis.call('ZADD', target, unpack(shelved))
  if #rows > 0 then redis.call('HSET', K_deaths, unpack(rows)) end
  remember_all(ids, logs, history_line(kind, 0, 0, '-', '-', '-', json))
end
