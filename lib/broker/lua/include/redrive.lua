-- Puts one dead (or suppressed) job back to ready: attempts start anew, deliveries go on, and history says who and why.
--@include unbury
local function redrive_one(id, json)
  local row = redis.call('HGET', K_jobs, id)
  if not row then return 'missing' end
  local priority, _, deadline = header(row)
  if not priority then return 'malformed' end
  if tonumber(deadline) > 0 and tonumber(deadline) <= now then return 'expired' end
  if not unbury(id, row) then
    if redis.call('ZREM', K_suppressed, id) == 0 then return 'state' end
  end
  local _, deliveries, _, redrives, token = tries(redis.call('HGET', K_attempts, id))
  redis.call('HDEL', K_deaths, id)
  set_tries(id, 0, deliveries, 0, redrives + 1, token)
  remember(id, 'redriven', deliveries, 0, '-', '-', '-', json)
  make_ready({ id })
  return 'ok'
end
