-- A change of the queue by a person: in its own record of changes, which its page shows, and for the audit log.
--@include change
--@include audit
audit_opens(K_audit)
local function record(what, by, before, after)
  enter_change(what, by, before, after)
  audit(K_audit, 'queue.' .. what, by, { kind = 'queue', before = before, after = after })
end
