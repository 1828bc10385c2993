-- Takes one job out of dead (or suppressed) into `suppressed` or `trash`. Its death stays on record for a way back.
--@include unbury
local function shelve_one(id, target, kind, json, cutoff)
  if cutoff > 0 and (death_of(id) or 0) > cutoff then return 'state' end
  local row = redis.call('HGET', K_jobs, id)
  if not unbury(id, row) then
    if kind ~= 'purged' or redis.call('ZREM', K_suppressed, id) == 0 then return 'state' end
  end
  redis.call('ZADD', target, now, id)
  remember(id, kind, 0, 0, '-', '-', '-', json)
  return 'ok'
end
