-- A session is a row under its id: a line of numbers and the digest of what the browser holds, a line with the person's id, a line
-- with the stamp of how they came in (so that a changed password ends it), a line of JSON. It ends by itself when it was not used for long enough, and at its absolute end whatever it was used for.
local function session_of(id)
  local created, seen, proved, most, idle, digest, person, stamp, about = string.match(
    redis.call('HGET', K_accessSessions, id) or '', '^(%d+) (%d+) (%d+) (%d+) (%d+) (%x+)\n([^\n]*)\n([^\n]*)\n(.*)$')
  if not created then return nil end
  return { created = created, seen = tonumber(seen), proved = proved, most = tonumber(most), idle = tonumber(idle),
    digest = digest, person = person, stamp = stamp, about = about }
end
local function session_end(session) return math.min(session.most, session.seen + session.idle) end
-- Its last use is noted once a minute at most, so that most requests write nothing; more often where it ends sooner than that.
local function session_due(session) return now - session.seen >= math.min(60000, session.idle / 4) end
