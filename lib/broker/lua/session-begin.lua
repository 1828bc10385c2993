-- Begins a session: always a new one, in the place of the one that the request came with, if there was any.
-- KEYS: accessSessions accessSessionEnds accessPeople accessGrants accessAudit
-- ARGV: clock, id, digest, id and digest of the one it takes the place of ('' for none), person, the person as JSON, the stamp of how they came in, the session as JSON, ms until it ends unused, ms until it ends at the latest, ms since they proved who they are ('' never), json (who), most sessions, most of a person, most people
-- REPLY: when it ends by itself; -1: the person may not come in
--@include audit
--@include sessions
-- Of some who were here, the one who was away longest, those who are signed in last. What was given to them stands elsewhere, and stays.
local function forget_somebody()
  local some, who, longest = redis.call('HRANDFIELD', K_accessPeople, 20, 'WITHVALUES'), nil, nil
  for i = 1, #some, 2 do
    local seen = tonumber(string.match(some[i + 1], '^%d+ (%d+)') or 0)
    if redis.call('HEXISTS', K_accessSessions, 'of:' .. some[i]) == 1 then seen = seen + 1e15 end
    if not longest or seen < longest then who, longest = some[i], seen end
  end
  redis.call('HDEL', K_accessPeople, who)
end
local id, person = ARGV[2], ARGV[6]
local given = redis.call('HGET', K_accessGrants, person)
if given and not string.find(given, '\n-', 1, true) then return -1 end
audit_opens(K_accessAudit)
local replaced = ARGV[4] ~= '' and session_of(ARGV[4])
if replaced and replaced.digest == ARGV[5] then drop_session(ARGV[4]) end
-- What is over goes first, then whoever would end soonest: signing in must work, however many came before.
for _, over in ipairs(redis.call('ZRANGEBYSCORE', K_accessSessionEnds, '-inf', now, 'LIMIT', 0, 50)) do drop_session(over) end
for _ = 1, math.min(50, redis.call('ZCARD', K_accessSessionEnds) - ARGV[14] + 1) do
  drop_session(redis.call('ZRANGE', K_accessSessionEnds, 0, 0)[1])
end
local mine = {}
for one in string.gmatch(redis.call('HGET', K_accessSessions, 'of:' .. person) or '', '%x+') do
  local session = one ~= id and session_of(one)
  if session and session_end(session) > now then mine[#mine + 1] = one else drop_session(one) end
end
for _ = 1, #mine - ARGV[15] + 1 do drop_session(table.remove(mine, 1)) end
mine[#mine + 1] = id
local first = string.match(redis.call('HGET', K_accessPeople, person) or '', '^(%d+) ')
if not first and redis.call('HLEN', K_accessPeople) >= tonumber(ARGV[16]) then forget_somebody() end
local session = { created = string.format('%.0f', now), seen = now, proved = ARGV[12] == '' and '0' or string.format('%.0f', math.max(0, now - ARGV[12])),
  most = now + ARGV[11], idle = tonumber(ARGV[10]), digest = ARGV[3], person = person, stamp = ARGV[8], about = ARGV[9] }
save_session(id, session)
redis.call('HSET', K_accessSessions, 'of:' .. person, table.concat(mine, ' '))
redis.call('HSET', K_accessPeople, person, string.format('%s %.0f\n%s', first or string.format('%.0f', now), now, ARGV[7]))
audit(K_accessAudit, 'session.begin', ARGV[13], { kind = 'session', id = id, after = ARGV[9] })
return session_end(session)
