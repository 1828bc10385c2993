-- Records a re-authentication. The session gets a new id and digest, so that a copy of the old cookie is worthless.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, id, digest, the new id, the new digest, actor as JSON
-- REPLY: ms until it ends at the latest, 0 no such session, or it is over
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
local sessions = require('access.sessions')
local session = sessions.read(ARGV[2])
if not session or session.digest ~= ARGV[3] or sessions.ends_at(session) <= clock.now then return 0 end
audit_event.open(keys.accessAudit)
sessions.remove(ARGV[2])
session.seen, session.proved, session.digest = clock.now, string.format('%.0f', clock.now), ARGV[5]
sessions.save(ARGV[4], session)
local mine = redis.call('HGET', keys.accessSessions, 'of:' .. session.person)
redis.call('HSET', keys.accessSessions, 'of:' .. session.person, (mine and mine .. ' ' or '') .. ARGV[4])
audit_event.add(keys.accessAudit, 'session.reauthenticate', ARGV[6], { kind = 'session', id = ARGV[4], before = '{"session":"' .. ARGV[2] .. '"}', after = '{"session":"' .. ARGV[4] .. '"}' })
return math.max(1, session.most - clock.now)
