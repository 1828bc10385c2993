-- Counts an attempt, such as one to sign in, unless there were too many in this stretch of time.
-- KEYS: accessAttempts
-- ARGV: clock, what is counted (a digest), how many may be, the stretch in ms, most rows
-- REPLY: 1 counted or 0 refused, ms until the stretch is over
-- A row: when the stretch is over, and how many there were.
--@include now
local key = ARGV[2]
local ends, count = string.match(redis.call('HGET', K_accessAttempts, key) or '', '^(%d+) (%d+)$')
ends, count = tonumber(ends), tonumber(count)
if not ends or ends <= now then ends, count = now + ARGV[4], 0 end
if count >= tonumber(ARGV[3]) then return { 0, ends - now } end
-- Of some rows those that are over go; where there is no room for another, the one that is over soonest.
redis.call('HDEL', K_accessAttempts, key)
local some, gone, soonest, at = redis.call('HRANDFIELD', K_accessAttempts, 20, 'WITHVALUES'), false, nil, nil
for i = 1, #some, 2 do
  local over = tonumber(string.match(some[i + 1], '^(%d+)') or 0)
  if over <= now then
    redis.call('HDEL', K_accessAttempts, some[i])
    gone = true
  elseif not at or over < at then soonest, at = some[i], over end
end
if soonest and not gone and redis.call('HLEN', K_accessAttempts) >= tonumber(ARGV[5]) then redis.call('HDEL', K_accessAttempts, soonest) end
redis.call('HSET', K_accessAttempts, key, string.format('%.0f %.0f', ends, count + 1))
return { 1, ends - now }
