-- Puts one dead (or suppressed) job back to ready: attempts start anew, deliveries go on, and history says who and why.
--@include unbury
--@include unique
-- With a cut-off, a job that died after it is not the one that was looked at, and stays.
local function redrive_one(id, json, cutoff)
  local row = redis.call('HGET', K_jobs, id)
  if not row then return 'missing' end
  if not (redis.call('ZSCORE', K_dead, id) or redis.call('ZSCORE', K_suppressed, id)) then return 'state' end
  if cutoff > 0 and (death_of(id) or 0) > cutoff then return 'state' end
  local priority, _, deadline, _, _, unique = header(row)
  if not priority then return 'malformed' end
  if tonumber(deadline) > 0 and tonumber(deadline) <= now then return 'expired' end
  local owner = unique and string.sub(unique, 1, 1) ~= 'w' and unique_owner(string.match(unique, '^%a:%d+:(.+)$'))
  if owner and owner ~= id then return 'taken' end
  if not unbury(id, row) then redis.call('ZREM', K_suppressed, id) end
  local _, deliveries, _, redrives, token = tries(redis.call('HGET', K_attempts, id))
  redis.call('HDEL', K_deaths, id)
  set_tries(id, 0, deliveries, 0, redrives + 1, token)
  remember(id, 'redriven', deliveries, 0, '-', '-', '-', json)
  if unique and string.sub(unique, 1, 1) ~= 'w' then take_unique(unique, id) end
  make_ready({ id })
  return 'ok'
end
