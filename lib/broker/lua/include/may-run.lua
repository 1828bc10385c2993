-- Why a job may not run again, whatever its queue says; nil when it may, and then what is unique about it, its priority and its tenant.
--@include row
local function may_run(row, keyed)
  local priority, _, deadline, _, tenant, unique = header(row or '')
  if not priority then return 'unreadable' end
  -- The second line of a row is JSON, where a quote inside a text has a backslash before it: this is the field or nothing.
  if keyed and not string.find(string.match(row, '^[^\n]*\n([^\n]*)') or '', ',"key":"', 1, true) then return 'no-idempotency-key' end
  if tonumber(deadline) > 0 and tonumber(deadline) <= now then return 'deadline-passed' end
  return nil, unique, priority, tenant
end
