-- A change of the queue by a person: in its own record of changes, which its page shows, and for the audit log.
local audit_event = require('audit.audit_event')
local change_log = require('queues.change_log')
local keys = require('keys')
audit_event.open(keys.audit)
local function record(what, by, before, after)
  change_log.add(what, by, before, after)
  audit_event.add(keys.audit, 'queue.' .. what, by, { kind = 'queue', before = before, after = after })
end
return { record = record }
