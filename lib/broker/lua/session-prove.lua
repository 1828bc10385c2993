-- Notes that whose session it is has said once more who they are. It goes on under a new id and digest, so that a copy of the old cookie is worth nothing.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, id, digest, the new id, the new digest, json (who)
-- REPLY: ms until it ends at the latest, 0 no such session, or it is over
--@include audit
--@include sessions
local session = session_of(ARGV[2])
if not session or session.digest ~= ARGV[3] or session_end(session) <= now then return 0 end
audit_opens(K_accessAudit)
drop_session(ARGV[2])
session.seen, session.proved, session.digest = now, string.format('%.0f', now), ARGV[5]
save_session(ARGV[4], session)
local mine = redis.call('HGET', K_accessSessions, 'of:' .. session.person)
redis.call('HSET', K_accessSessions, 'of:' .. session.person, (mine and mine .. ' ' or '') .. ARGV[4])
audit(K_accessAudit, 'session.prove', ARGV[6], { kind = 'session', id = ARGV[4], before = '{"session":"' .. ARGV[2] .. '"}', after = '{"session":"' .. ARGV[4] .. '"}' })
return math.max(1, session.most - now)
