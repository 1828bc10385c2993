-- A session is a row under its id: a line of numbers and the digest of the cookie, a line with the user's id, a line with the stamp of the
-- sign-in method (so that a changed password ends it), a line of JSON. It ends when it is idle too long, and at its absolute end.
local clock = require('redis.clock')
local id_list = require('access.id_list')
local keys = require('keys')
local function read(id)
  local created, seen, proved, most, idle, digest, person, stamp, about = string.match(
    redis.call('HGET', keys.accessSessions, id) or '', '^(%d+) (%d+) (%d+) (%d+) (%d+) (%x+)\n([^\n]*)\n([^\n]*)\n(.*)$')
  if not created then return nil end
  return { created = created, seen = tonumber(seen), proved = proved, most = tonumber(most), idle = tonumber(idle),
    digest = digest, person = person, stamp = stamp, about = about }
end
local function ends_at(session) return math.min(session.most, session.seen + session.idle) end
-- Its last use is noted once a minute at most, so that most requests write nothing; more often where it ends sooner than that.
local function is_due(session) return clock.now - session.seen >= math.min(60000, session.idle / 4) end
-- Besides its row a session stands in `of:<person>`, the ids of a person's sessions, oldest first, and in `sessionEnds`, by when it ends.
local function save(id, session)
  redis.call('HDEL', keys.accessSessions, id)
  redis.call('HSET', keys.accessSessions, id, string.format('%s %.0f %s %.0f %.0f %s\n%s\n%s\n%s', session.created, session.seen,
    session.proved, session.most, session.idle, session.digest, session.person, session.stamp, session.about))
  redis.call('ZADD', keys.accessSessionEnds, string.format('%.0f', ends_at(session)), id)
end
-- Of a row that cannot be read the id stays in its person's list, which passes over it.
local function remove(id)
  local session = read(id)
  redis.call('HDEL', keys.accessSessions, id)
  redis.call('ZREM', keys.accessSessionEnds, id)
  if not session then return end
  id_list.remove(keys.accessSessions, session.person, id)
end
-- Ends the sessions of a person (at most 50), but for one. Replies how many of them were still good.
local function remove_all(person, but)
  local gone = 0
  for id in string.gmatch(redis.call('HGET', keys.accessSessions, 'of:' .. person) or '', '%x+') do
    if id ~= but then
      local session = read(id)
      if session and ends_at(session) > clock.now then gone = gone + 1 end
      remove(id)
    end
  end
  return gone
end
return { read = read, ends_at = ends_at, is_due = is_due, save = save, remove = remove, remove_all = remove_all }
