-- Reads a session, its user and the user's grants. Writes nothing: sessions stay valid while Redis takes no writes.
-- KEYS: accessSessions accessUsers accessGrants
-- ARGV: clock, id, digest of what the browser holds
-- REPLY: now, then 0: no such session, -1: it ended, 1: valid, 2: valid, and session-touch should record its use; then its row, the user's, and that of their grants
local clock = require('redis.clock')
local keys = require('keys')
local sessions = require('access.sessions')
local session = sessions.read(ARGV[2])
if not session or session.digest ~= ARGV[3] then return { clock.now, 0 } end
if sessions.ends_at(session) <= clock.now then return { clock.now, -1 } end
return { clock.now, sessions.is_due(session) and 2 or 1, redis.call('HGET', keys.accessSessions, ARGV[2]),
  redis.call('HGET', keys.accessUsers, session.person) or '', redis.call('HGET', keys.accessGrants, session.person) or '' }
