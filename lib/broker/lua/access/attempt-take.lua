-- Counts an attempt, such as a sign-in, unless there were too many in this period.
-- KEYS: accessAttempts accessNetworkAttempts accessUserAttempts
-- ARGV: clock, digest of the name, address or user, limit, period in ms, most rows, which table (1 names, 2 addresses, 3 users), how many to count (0: only checks; negative: counts above the limit, too)
-- REPLY: 1 counted or 0 refused, ms until the period ends
-- A row: end of the period and number of attempts. Separate tables: addresses cost nothing and must not push out names.
local clock = require('redis.clock')
local keys = require('keys')
local key = ({ keys.accessAttempts, keys.accessNetworkAttempts, keys.accessUserAttempts })[tonumber(ARGV[6])]
local who, more = ARGV[2], tonumber(ARGV[7])
local ends, count = string.match(redis.call('HGET', key, who) or '', '^(%d+) (%d+)$')
ends, count = tonumber(ends), tonumber(count)
if not ends or ends <= clock.now then ends, count = clock.now + ARGV[4], 0 end
if more >= 0 and count >= tonumber(ARGV[3]) then return { 0, ends - clock.now } end
if more == 0 then return { 1, ends - clock.now } end
-- Of some rows, ended ones go. Without room, the row with the fewest attempts goes, the one that ends first among equals: an attacker who
-- makes new rows pushes out new rows, not rows with many attempts.
redis.call('HDEL', key, who)
local some, gone, least, at, low = redis.call('HRANDFIELD', key, 20, 'WITHVALUES'), false, nil, nil, nil
for i = 1, #some, 2 do
  local over, counted = string.match(some[i + 1], '^(%d+) (%d+)$')
  over, counted = tonumber(over) or 0, tonumber(counted) or 0
  if over <= clock.now then
    redis.call('HDEL', key, some[i])
    gone = true
  elseif not least or counted < low or (counted == low and over < at) then least, at, low = some[i], over, counted end
end
if least and not gone and redis.call('HLEN', key) >= tonumber(ARGV[5]) then redis.call('HDEL', key, least) end
redis.call('HSET', key, who, string.format('%.0f %.0f', ends, count + math.abs(more)))
return { 1, ends - clock.now }
