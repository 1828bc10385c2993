-- Notes that a session and its person were seen, or removes the session when it is over.
-- KEYS: accessSessions accessSessionEnds accessPeople
-- ARGV: clock, id, digest
-- REPLY: 1 it is good, 0 it was over, -1 no such session
--@include now
--@include sessions
local id = ARGV[2]
local session = session_of(id)
if not session or session.digest ~= ARGV[3] then return -1 end
if session_end(session) <= now then
  drop_session(id)
  return 0
end
-- Of many requests at once the first notes it.
if not session_due(session) then return 1 end
session.seen = now
save_session(id, session)
local first, about = string.match(redis.call('HGET', K_accessPeople, session.person) or '', '^(%d+) %d+\n(.*)$')
if first then redis.call('HSET', K_accessPeople, session.person, string.format('%s %.0f\n%s', first, now, about)) end
return 1
