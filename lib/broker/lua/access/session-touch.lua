-- Records the last use of a session and its user, or removes a session that ended.
-- KEYS: accessSessions accessSessionEnds accessUsers
-- ARGV: clock, id, digest
-- REPLY: 1 it is good, 0 it was over, -1 no such session
local clock = require('redis.clock')
local keys = require('keys')
local sessions = require('access.sessions')
local id = ARGV[2]
local session = sessions.read(id)
if not session or session.digest ~= ARGV[3] then return -1 end
if sessions.ends_at(session) <= clock.now then
  sessions.remove(id)
  return 0
end
-- Of many requests at once the first records it.
if not sessions.is_due(session) then return 1 end
session.seen = clock.now
sessions.save(id, session)
local first, about = string.match(redis.call('HGET', keys.accessUsers, session.person) or '', '^(%d+) %d+\n(.*)$')
if first then redis.call('HSET', keys.accessUsers, session.person, string.format('%s %.0f\n%s', first, clock.now, about)) end
return 1
