-- A worker says it lives, and learns what an operator asks of it. Also forgets workers not seen for a day, a few at a time.
-- KEYS: workersSeen workersInfo workersSchemas workersRequests
-- ARGV: clock, worker id, what it reports (json), what its handlers take (json; '': as before; '-': it has ended), digest of its release ('': not now), its release (json)
-- REPLY: the request to it as stored; '' for none
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
local clock = require('redis.clock')
local keys = require('keys')
redis.call('ZREM', keys.workersSeen, '')
if ARGV[4] == '-' then
  redis.call('HDEL', keys.workersSchemas, ARGV[2])
  redis.call('HDEL', keys.workersRequests, ARGV[2])
elseif ARGV[4] ~= '' then redis.call('HSET', keys.workersSchemas, ARGV[2], ARGV[4]) end
if ARGV[5] ~= '' then
  local worker_releases = require('workers.worker_releases')
  worker_releases.saw(ARGV[5], ARGV[6])
end
redis.call('ZADD', keys.workersSeen, clock.now, ARGV[2])
redis.call('HSET', keys.workersInfo, ARGV[2], ARGV[3])
local old = redis.call('ZRANGE', keys.workersSeen, '-inf', clock.now - 86400000, 'BYSCORE', 'LIMIT', 0, 50)
-- Crash loops make many: beyond 200, those silent for longest go first.
local over = redis.call('ZCARD', keys.workersSeen) - 200
if over > 0 then
  for _, id in ipairs(redis.call('ZRANGE', keys.workersSeen, 0, math.min(over, 50) - 1)) do old[#old + 1] = id end
end
if #old > 0 then
  redis.call('ZREM', keys.workersSeen, unpack(old))
  redis.call('HDEL', keys.workersInfo, unpack(old))
  redis.call('HDEL', keys.workersSchemas, unpack(old))
  redis.call('HDEL', keys.workersRequests, unpack(old))
end
return redis.call('HGET', keys.workersRequests, ARGV[2]) or ''
