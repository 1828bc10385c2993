-- Sets what a person may do, or whether they may come in at all; who may not has no session from then on.
-- KEYS: accessSessions accessSessionEnds accessGrants accessAudit
-- ARGV: clock, person, grants as JSON ('' as it is; `-` what their file or groups say), 1 not to let them in (0 to, '' as it is), by whom and why as JSON, actor and reason as JSON, most rows, the person's name as JSON for the record ('' none)
-- REPLY: how many sessions were ended; -1: there are too many such rows
-- A row: a line with the grants or `-`; a line with `-`, or since when and by whom they are not let in.
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
local sessions = require('access.sessions')
local person = ARGV[2]
local row = redis.call('HGET', keys.accessGrants, person)
local grants, shut = string.match(row or '', '^([^\n]*)\n(.*)$')
if not row and redis.call('HLEN', keys.accessGrants) >= tonumber(ARGV[7]) then return -1 end
audit_event.open(keys.accessAudit)
grants, shut = grants or '-', shut or '-'
local function told()
  return '{' .. (ARGV[8] == '' and '' or '"name":' .. ARGV[8] .. ',') .. '"grants":' .. (grants == '-' and 'null' or grants) .. ',"disabled":' .. (shut == '-' and 'false' or 'true') .. '}'
end
local before = told()
if ARGV[3] ~= '' then grants = ARGV[3] end
if ARGV[4] == '0' then shut = '-' end
if ARGV[4] == '1' then shut = string.format('%.0f ', clock.now) .. ARGV[5] end
redis.call('HDEL', keys.accessGrants, person)
local gone = ARGV[4] == '1' and sessions.remove_all(person, '') or 0
if grants ~= '-' or shut ~= '-' then redis.call('HSET', keys.accessGrants, person, grants .. '\n' .. shut) end
audit_event.add(keys.accessAudit, 'access.change', ARGV[6], { kind = 'user', id = person, before = before, after = told(), count = gone > 0 and gone or nil })
return gone
