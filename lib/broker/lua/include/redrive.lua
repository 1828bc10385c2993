-- Puts dead or suppressed jobs back to ready: attempts start anew, deliveries go on, and history says who and why.
-- A script that includes this ends with book_dead().
--@include may-run
--@include line
--@include attempts
--@include history
--@include unique
--@include deaths-of
-- What is known of those that may, by id, so that a row is taken apart once: what is unique about it (nil: nothing), its
-- priority and its tenant.
local unique_of, priority_of, tenant_of = {}, {}, {}
-- Why a job may not come back into this queue; nil when it may. `keyed`: only if it has an idempotency key; `keys`: uniqueness keys
-- that jobs judged before it are about to take.
local function redrive_refusal(id, row, keys, keyed)
  local reason, unique, priority, tenant = may_run(row, keyed)
  if reason then return reason end
  -- A key that is taken for a time is not taken anew.
  if unique and string.sub(unique, 1, 1) == 'w' then unique = nil end
  if unique then
    local key = string.match(unique, '^%a:%d+:(.+)$')
    local owner = keys[key] or unique_owner(key)
    if owner and owner ~= id then return 'not-unique' end
    keys[key] = id
  end
  unique_of[id], priority_of[id], tenant_of[id] = unique, priority, tenant
  return nil
end
-- `ids` are dead or suppressed, and nothing speaks against them. `logs`, `deaths`: theirs, by place; `edited`: payloads that a
-- person changed, as whole rows, nil or false for none; `dead`: it is known that all of them are dead.
local function redrive_all(ids, logs, deaths, kind, json, edited, dead)
  if #ids == 0 then return end
  local before = redis.call('HMGET', K_attempts, unpack(ids))
  unindex_deaths(ids, deaths, dead)
  if not dead then redis.call('ZREM', K_suppressed, unpack(ids)) end
  redis.call('HDEL', K_deaths, unpack(ids))
  local attempts, history, changed, priorities, tenants, lines = {}, {}, {}, {}, {}, {}
  for i = 1, #ids do
    local id = ids[i]
    local _, deliveries, _, redrives, token = tries(before[i])
    deliveries = deliveries or 0
    -- Most have been delivered as often as the one before.
    local line = lines[deliveries] or history_line(kind, deliveries, 0, '-', '-', '-', json)
    lines[deliveries] = line
    attempts[2 * i - 1], attempts[2 * i] = id, tries_row(0, deliveries, 0, (redrives or 0) + 1, token or '-')
    history[2 * i - 1], history[2 * i] = id, with_line(logs[i], line)
    priorities[i], tenants[i] = priority_of[id], tenant_of[id]
    if unique_of[id] then take_unique(unique_of[id], id) end
    if edited and edited[i] then
      changed[#changed + 1] = id
      changed[#changed + 1] = edited[i]
    end
  end
  if #changed > 0 then redis.call('HSET', K_jobs, unpack(changed)) end
  redis.call('HSET', K_attempts, unpack(attempts))
  redis.call('HSET', K_history, unpack(history))
  add_to_line(ids, places(priorities, tenants, redis.call('HGET', K_config, 'fair')))
end
