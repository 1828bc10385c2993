-- Puts dead or suppressed jobs back to ready: attempts start anew, deliveries go on, and history says who and why.
-- A script that includes this ends with book_dead().
--@include may-run
--@include line
--@include attempts
--@include history
--@include unique
--@include deaths-of
-- Why a job may not come back into this queue; nil when it may. `keyed`: only if it has an idempotency key; `keys`: uniqueness keys
-- that jobs judged before it are about to take.
local function redrive_refusal(id, row, keys, keyed)
  local reason, unique = may_run(row, keyed)
  if reason then return reason end
  if not unique or string.sub(unique, 1, 1) == 'w' then return nil end
  local key = string.match(unique, '^%a:%d+:(.+)$')
  local owner = keys[key] or unique_owner(key)
  if owner and owner ~= id then return 'not-unique' end
  keys[key] = id
  return nil
end
-- `ids` are dead or suppressed, and nothing speaks against them. `rows`, `logs`, `deaths`: theirs, by place; `edited`: payloads
-- that a person changed, as whole rows, nil or false for none.
local function redrive_all(ids, rows, logs, deaths, kind, json, edited)
  if #ids == 0 then return end
  local before = redis.call('HMGET', K_attempts, unpack(ids))
  unindex_deaths(ids, deaths)
  redis.call('ZREM', K_suppressed, unpack(ids))
  redis.call('HDEL', K_deaths, unpack(ids))
  local attempts, history, changed, priorities, tenants = {}, {}, {}, {}, {}
  for i = 1, #ids do
    local id = ids[i]
    local priority, _, _, _, tenant, unique = header(rows[i])
    local _, deliveries, _, redrives, token = tries(before[i])
    attempts[2 * i - 1], attempts[2 * i] = id, tries_row(0, deliveries or 0, 0, (redrives or 0) + 1, token or '-')
    history[2 * i - 1], history[2 * i] = id, with_line(logs[i], history_line(kind, deliveries or 0, 0, '-', '-', '-', json))
    priorities[i], tenants[i] = priority, tenant
    if unique and string.sub(unique, 1, 1) ~= 'w' then take_unique(unique, id) end
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
