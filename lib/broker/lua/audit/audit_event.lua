-- A record for the audit log, written by the script that makes the change it is about: both happen or neither. It goes into an outbox
-- in the slot of the change; consoles carry it from there into the log (lib/broker/audit).
-- A record's first field, n, counts the records of its outbox, so that a missing one is seen: collectors leave the newest one there.
-- To be called before the first write: a key that cannot hold records ends the script here, and nothing is done. Scripts with
-- queue_change need not.
local audit_fields = require('audit.audit_fields')
local clock = require('redis.clock')
local function open(key) redis.call('XLEN', key) end
-- `by`: the JSON note of who and why. `more`, all optional: kind and id of the object, queue, before and after (short text, never a
-- payload), count, filter, result (done unless it says refused), code.
local function add(key, action, by, more)
  local newest = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  local fields = { 'n', string.format('%.0f', (newest and tonumber(newest[2][2]) or 0) + 1), 'at', string.format('%.0f', clock.now), 'action', action, 'by', by }
  for i = 1, #audit_fields.FIELDS do
    local value = more and more[audit_fields.FIELDS[i]]
    if type(value) == 'number' then value = string.format('%.0f', value) end
    if value and value ~= '' then
      fields[#fields + 1] = audit_fields.FIELDS[i]
      fields[#fields + 1] = audit_fields.cut(value)
    end
  end
  redis.call('XADD', key, 'MAXLEN', '~', 100000, '*', unpack(fields))
end
return { open = open, add = add }
