-- Counts an attempt, such as one to sign in, unless there were too many in this stretch of time.
-- KEYS: accessAttempts accessPlaceAttempts accessUserAttempts
-- ARGV: clock, what is counted (a digest), how many may be, the stretch in ms, most rows, which table (1 names, 2 places, 3 users), how many at once (0: only looks; negative: counts whatever there was)
-- REPLY: 1 counted or 0 refused, ms until the stretch is over
-- A row: when the stretch is over, and how many there were. Tables are apart, so that addresses, which cost nothing, push out no name.
--@include now
local key = ({ K_accessAttempts, K_accessPlaceAttempts, K_accessUserAttempts })[tonumber(ARGV[6])]
local who, more = ARGV[2], tonumber(ARGV[7])
local ends, count = string.match(redis.call('HGET', key, who) or '', '^(%d+) (%d+)$')
ends, count = tonumber(ends), tonumber(count)
if not ends or ends <= now then ends, count = now + ARGV[4], 0 end
if more >= 0 and count >= tonumber(ARGV[3]) then return { 0, ends - now } end
if more == 0 then return { 1, ends - now } end
-- Of some rows those that are over go; where there is no room for another, the one that counted least, and of such the one that is over soonest:
-- who makes new rows pushes out new rows, and not what took many attempts to count.
redis.call('HDEL', key, who)
local some, gone, least, at, low = redis.call('HRANDFIELD', key, 20, 'WITHVALUES'), false, nil, nil, nil
for i = 1, #some, 2 do
  local over, counted = string.match(some[i + 1], '^(%d+) (%d+)$')
  over, counted = tonumber(over) or 0, tonumber(counted) or 0
  if over <= now then
    redis.call('HDEL', key, some[i])
    gone = true
  elseif not least or counted < low or (counted == low and over < at) then least, at, low = some[i], over, counted end
end
if least and not gone and redis.call('HLEN', key) >= tonumber(ARGV[5]) then redis.call('HDEL', key, least) end
redis.call('HSET', key, who, string.format('%.0f %.0f', ends, count + math.abs(more)))
return { 1, ends - now }
