-- Puts jobs at the end of the line (a fair one: at the end of their tenant's).
--@include row
--@include line
local function make_ready(ids)
  local rows = redis.call('HMGET', K_jobs, unpack(ids))
  local fair = redis.call('HGET', K_config, 'fair')
  local priorities, tenants = {}, {}
  for i = 1, #ids do
    local priority, tenant
    if rows[i] then
      local p, _, _, _, t = header(rows[i])
      priority, tenant = p, t
    end
    -- A job without a readable row keeps priority 0: claim finds it and puts it where a person can see it.
    priorities[i], tenants[i] = priority or 0, tenant or 'unknown'
  end
  add_to_line(ids, places(priorities, tenants, fair))
end
