-- Ends a session: for whoever holds it, for its person, or for somebody who may end those of others.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, id, its digest ('' when it is named by its id alone), the person whose it must be ('' for anybody's), json (who and why)
-- REPLY: 1 ended, 0 no such session, or it was over
--@include audit
--@include sessions
local session = session_of(ARGV[2])
if not session or (ARGV[3] ~= '' and session.digest ~= ARGV[3]) or (ARGV[4] ~= '' and session.person ~= ARGV[4]) then return 0 end
audit_opens(K_accessAudit)
drop_session(ARGV[2])
if session_end(session) <= now then return 0 end
audit(K_accessAudit, 'session.end', ARGV[5], { kind = 'session', id = ARGV[2], before = session.about })
return 1
