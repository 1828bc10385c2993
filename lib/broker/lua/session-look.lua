-- Whose session this is, and what is known of them at this moment. Writes nothing: who is signed in stays so while Redis takes no writes.
-- KEYS: accessSessions accessPeople accessGrants
-- ARGV: clock, id, digest of what the browser holds
-- REPLY: now, then 0: no such session, -1: it is over, 1: it is good, 2: it is, and its use is to be noted (session-keep); then its row, the person's, and that of what was given to them
--@include now
--@include session-row
local session = session_of(ARGV[2])
if not session or session.digest ~= ARGV[3] then return { now, 0 } end
if session_end(session) <= now then return { now, -1 } end
return { now, session_due(session) and 2 or 1, redis.call('HGET', K_accessSessions, ARGV[2]),
  redis.call('HGET', K_accessPeople, session.person) or '', redis.call('HGET', K_accessGrants, session.person) or '' }
