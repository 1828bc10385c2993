-- Whether jobs may run again. The scripts that move them ask, and before them a preview (redrive-check.lua).
-- `owners`: uniqueness keys that jobs of the same call are about to take, with the ids of these jobs.
local clock = require('redis.clock')
local job_row = require('rows.job_row')
local unique_keys = require('jobs.unique_keys')
-- By id, of jobs that may come back: its uniqueness key (nil: none), its priority and its tenant.
local unique_of, priority_of, tenant_of = {}, {}, {}
-- Why a job may not run again, whatever its queue says; nil when it may, and then its uniqueness, priority and tenant.
-- `keyed`: only with an idempotency key.
local function rerun_refusal(row, keyed)
  local priority, _, deadline, _, tenant, unique = job_row.parse(row or '')
  if not priority then return 'unreadable' end
  -- The second line of a row is JSON, where a quote inside a text has a backslash before it: this is the field or nothing.
  if keyed and not string.find(string.match(row, '^[^\n]*\n([^\n]*)') or '', ',"key":"', 1, true) then return 'no-idempotency-key' end
  if deadline ~= '0' and tonumber(deadline) <= clock.now then return 'deadline-passed' end
  return nil, unique, priority, tenant
end
-- `even_own`: whether the job's own entry counts, too.
local function key_refusal(id, unique, owners, even_own)
  if not unique then return nil end
  local key = string.match(unique, '^%a:%d+:(.+)$')
  local owner = owners[key] or unique_keys.owner(key)
  if owner and (even_own or owner ~= id) then return 'not-unique' end
  owners[key] = id
  return nil
end
-- Why a job may not come in from another queue. Its own key refuses it, too: it ran here before, and the key's time lasts.
local function arrival_refusal(id, is_present, unique, owners)
  if is_present then return 'id-taken' end
  return key_refusal(id, unique, owners, true)
end
-- Why a job may not come back into this queue.
local function refusal(id, row, owners, keyed)
  local reason, unique, priority, tenant = rerun_refusal(row, keyed)
  if reason then return reason end
  -- A key that is taken for a time is not taken anew.
  if unique and string.sub(unique, 1, 1) == 'w' then unique = nil end
  reason = key_refusal(id, unique, owners)
  if reason then return reason end
  unique_of[id], priority_of[id], tenant_of[id] = unique, priority, tenant
  return nil
end
return { rerun_refusal = rerun_refusal, arrival_refusal = arrival_refusal, refusal = refusal, unique_of = unique_of, priority_of = priority_of, tenant_of = tenant_of }
