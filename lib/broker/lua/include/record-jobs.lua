-- What a person did to jobs by their ids, for the audit log: how many, and the first of them by name.
--@include audit
audit_opens(K_audit)
local function record_jobs(action, by, ids)
  if #ids == 0 then return end
  local named = #ids > 1 and table.concat(ids, ' ', 1, math.min(#ids, 20)) or nil
  audit(K_audit, action, by, { kind = 'job', id = ids[1], after = named, count = #ids })
end
