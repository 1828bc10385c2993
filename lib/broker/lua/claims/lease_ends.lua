-- Redis keeps a small sorted set as a list, which every new member walks through: with a hundred jobs in flight that was a fifth of
-- its time for a job (docs/benchmarks.md). A set that held a long name once stays a tree until it is empty.
local keys = require('keys')
local MANY = 15
-- `leases`: when they end and ids, in turn.
local function add(leases)
  if #leases > 2 * MANY and redis.call('OBJECT', 'ENCODING', keys.inflight) ~= 'skiplist' then
    -- Longer than `zset-max-listpack-value`.
    local long = string.rep('-', 65)
    redis.call('ZADD', keys.inflight, '0', long)
    redis.call('ZADD', keys.inflight, unpack(leases))
    redis.call('ZREM', keys.inflight, long)
  else
    redis.call('ZADD', keys.inflight, unpack(leases))
  end
end
return { add = add }
