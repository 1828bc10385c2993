-- Notes that whose session it is has said once more who they are.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, id, digest, json (who)
-- REPLY: 1 noted, 0 no such session, or it is over
--@include audit
--@include sessions
local session = session_of(ARGV[2])
if not session or session.digest ~= ARGV[3] or session_end(session) <= now then return 0 end
audit_opens(K_accessAudit)
session.seen, session.proved = now, string.format('%.0f', now)
save_session(ARGV[2], session)
audit(K_accessAudit, 'session.prove', ARGV[4], { kind = 'session', id = ARGV[2] })
return 1
