-- Ends the sessions of a person, all or all but one.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, person, id of the one that stays ('' for none), json (who and why)
-- REPLY: how many were ended
--@include audit
--@include drop-sessions
audit_opens(K_accessAudit)
-- A removal comes first, even of nothing.
redis.call('HDEL', K_accessSessions, '')
local gone = drop_sessions(ARGV[2], ARGV[3])
audit(K_accessAudit, 'session.end-all', ARGV[4], { kind = 'person', id = ARGV[2], count = gone })
return gone
