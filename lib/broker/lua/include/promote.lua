-- Makes scheduled or retrying jobs ready now, because a person said so.
--@include row
--@include line
--@include history
local function promote_all(ids, rows, logs, json)
  if #ids == 0 then return end
  local priorities, tenants = {}, {}
  for i = 1, #ids do
    local priority, _, _, _, tenant = header(rows[i] or '')
    -- A job without a readable row keeps priority 0: claim finds it and puts it where a person can see it.
    priorities[i], tenants[i] = priority or 0, tenant or 'unknown'
  end
  redis.call('ZREM', K_scheduled, unpack(ids))
  redis.call('ZREM', K_retry, unpack(ids))
  remember_all(ids, logs, history_line('promoted', 0, 0, '-', '-', '-', json))
  add_to_line(ids, places(priorities, tenants, redis.call('HGET', K_config, 'fair')))
end
