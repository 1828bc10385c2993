-- Ends a session: for its bearer, its user, or an administrator.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, id, its digest ('' when the id alone names it), user it must belong to ('' for any), actor and reason as JSON
-- REPLY: 1 ended, 0 no such session, or it was over
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
local sessions = require('access.sessions')
local session = sessions.read(ARGV[2])
if not session or (ARGV[3] ~= '' and session.digest ~= ARGV[3]) or (ARGV[4] ~= '' and session.person ~= ARGV[4]) then return 0 end
audit_event.open(keys.accessAudit)
sessions.remove(ARGV[2])
if sessions.ends_at(session) <= clock.now then return 0 end
audit_event.add(keys.accessAudit, 'session.end', ARGV[5], { kind = 'session', id = ARGV[2], before = session.about })
return 1
