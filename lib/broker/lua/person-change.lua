-- Sets what a person may do, or whether they may come in at all; who may not has no session from then on.
-- KEYS: accessSessions accessSessionEnds accessGrants accessAudit
-- ARGV: clock, person, grants as JSON ('' as it is; `-` what their file or groups say), 1 not to let them in (0 to, '' as it is), by whom and why as JSON, json (who and why), most rows, the person's name as JSON for the record ('' none)
-- REPLY: how many sessions were ended; -1: there are too many such rows
-- A row: a line with the grants or `-`; a line with `-`, or since when and by whom they are not let in.
--@include audit
--@include drop-sessions
local person = ARGV[2]
local row = redis.call('HGET', K_accessGrants, person)
local grants, shut = string.match(row or '', '^([^\n]*)\n(.*)$')
if not row and redis.call('HLEN', K_accessGrants) >= tonumber(ARGV[7]) then return -1 end
audit_opens(K_accessAudit)
grants, shut = grants or '-', shut or '-'
local function told()
  return '{' .. (ARGV[8] == '' and '' or '"name":' .. ARGV[8] .. ',') .. '"grants":' .. (grants == '-' and 'null' or grants) .. ',"disabled":' .. (shut == '-' and 'false' or 'true') .. '}'
end
local before = told()
if ARGV[3] ~= '' then grants = ARGV[3] end
if ARGV[4] == '0' then shut = '-' end
if ARGV[4] == '1' then shut = string.format('%.0f ', now) .. ARGV[5] end
redis.call('HDEL', K_accessGrants, person)
local gone = ARGV[4] == '1' and drop_sessions(person, '') or 0
if grants ~= '-' or shut ~= '-' then redis.call('HSET', K_accessGrants, person, grants .. '\n' .. shut) end
audit(K_accessAudit, 'access.change', ARGV[6], { kind = 'person', id = person, before = before, after = told(), count = gone > 0 and gone or nil })
return gone
