--@include session-row
--@include leave-list
-- Besides its row a session stands in `of:<person>`, the ids of a person's sessions, oldest first, and in `sessionEnds`, by when it ends.
local function save_session(id, session)
  redis.call('HDEL', K_accessSessions, id)
  redis.call('HSET', K_accessSessions, id, string.format('%s %.0f %s %.0f %.0f %s\n%s\n%s\n%s', session.created, session.seen,
    session.proved, session.most, session.idle, session.digest, session.person, session.stamp, session.about))
  redis.call('ZADD', K_accessSessionEnds, string.format('%.0f', session_end(session)), id)
end
-- Of a row that cannot be read the id stays in its person's list, which passes over it.
local function drop_session(id)
  local session = session_of(id)
  redis.call('HDEL', K_accessSessions, id)
  redis.call('ZREM', K_accessSessionEnds, id)
  if not session then return end
  leave_list(K_accessSessions, session.person, id)
end
