-- A worker says it lives. Also forgets workers not seen for a day, a few at a time.
-- KEYS: workersSeen workersInfo workersSchemas
-- ARGV: clock, worker id, what it reports (json), what its handlers take (json; '': as before; '-': forget it)
-- REPLY: now
--@include now
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('ZREM', K_workersSeen, '')
if ARGV[4] == '-' then redis.call('HDEL', K_workersSchemas, ARGV[2])
elseif ARGV[4] ~= '' then redis.call('HSET', K_workersSchemas, ARGV[2], ARGV[4]) end
redis.call('ZADD', K_workersSeen, now, ARGV[2])
redis.call('HSET', K_workersInfo, ARGV[2], ARGV[3])
local old = redis.call('ZRANGE', K_workersSeen, '-inf', now - 86400000, 'BYSCORE', 'LIMIT', 0, 50)
-- Crash loops make many: beyond 200, those silent for longest go first.
local over = redis.call('ZCARD', K_workersSeen) - 200
if over > 0 then
  for _, id in ipairs(redis.call('ZRANGE', K_workersSeen, 0, math.min(over, 50) - 1)) do old[#old + 1] = id end
end
if #old > 0 then
  redis.call('ZREM', K_workersSeen, unpack(old))
  redis.call('HDEL', K_workersInfo, unpack(old))
  redis.call('HDEL', K_workersSchemas, unpack(old))
end
return now
