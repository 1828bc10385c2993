-- Begins a new session. It replaces the session that the request came with.
-- KEYS: accessSessions accessSessionEnds accessUsers accessGrants accessAudit
-- ARGV: clock, id, digest, id and digest of the session it replaces ('' for none), person, the person as JSON, the stamp of how they came in, the session as JSON, ms until it ends unused, ms until it ends at the latest, ms since they proved who they are ('' never), actor as JSON, most sessions, most of a person, most people
-- REPLY: when it ends unused; -1: the user is disabled
-- Forgets the user who was away longest, of some; signed-in users last. Their grants are stored elsewhere and stay.
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
local sessions = require('access.sessions')
local function forget_somebody()
  local some, who, longest = redis.call('HRANDFIELD', keys.accessUsers, 20, 'WITHVALUES'), nil, nil
  for i = 1, #some, 2 do
    local seen = tonumber(string.match(some[i + 1], '^%d+ (%d+)') or 0)
    if redis.call('HEXISTS', keys.accessSessions, 'of:' .. some[i]) == 1 then seen = seen + 1e15 end
    if not longest or seen < longest then who, longest = some[i], seen end
  end
  redis.call('HDEL', keys.accessUsers, who)
end
local id, person = ARGV[2], ARGV[6]
local given = redis.call('HGET', keys.accessGrants, person)
if given and not string.find(given, '\n-', 1, true) then return -1 end
audit_event.open(keys.accessAudit)
local replaced = ARGV[4] ~= '' and sessions.read(ARGV[4])
if replaced and replaced.digest == ARGV[5] then sessions.remove(ARGV[4]) end
-- Expired sessions go first, then those that end soonest: signing in must always work.
for _, over in ipairs(redis.call('ZRANGEBYSCORE', keys.accessSessionEnds, '-inf', clock.now, 'LIMIT', 0, 50)) do sessions.remove(over) end
for _ = 1, math.min(50, redis.call('ZCARD', keys.accessSessionEnds) - ARGV[14] + 1) do
  sessions.remove(redis.call('ZRANGE', keys.accessSessionEnds, 0, 0)[1])
end
local mine = {}
for one in string.gmatch(redis.call('HGET', keys.accessSessions, 'of:' .. person) or '', '%x+') do
  local session = one ~= id and sessions.read(one)
  if session and sessions.ends_at(session) > clock.now then mine[#mine + 1] = one else sessions.remove(one) end
end
for _ = 1, #mine - ARGV[15] + 1 do sessions.remove(table.remove(mine, 1)) end
mine[#mine + 1] = id
local first = string.match(redis.call('HGET', keys.accessUsers, person) or '', '^(%d+) ')
if not first and redis.call('HLEN', keys.accessUsers) >= tonumber(ARGV[16]) then forget_somebody() end
local session = { created = string.format('%.0f', clock.now), seen = clock.now, proved = ARGV[12] == '' and '0' or string.format('%.0f', math.max(0, clock.now - ARGV[12])),
  most = clock.now + ARGV[11], idle = tonumber(ARGV[10]), digest = ARGV[3], person = person, stamp = ARGV[8], about = ARGV[9] }
sessions.save(id, session)
redis.call('HSET', keys.accessSessions, 'of:' .. person, table.concat(mine, ' '))
redis.call('HSET', keys.accessUsers, person, string.format('%s %.0f\n%s', first or string.format('%.0f', clock.now), clock.now, ARGV[7]))
audit_event.add(keys.accessAudit, 'session.begin', ARGV[13], { kind = 'session', id = id, after = ARGV[9] })
return sessions.ends_at(session)
