-- Redis keeps a small hash as a list that each increment walks through, from its first field on: three times the time of a table
-- (ADR 12). A hash that held a long value once stays a table, so the counts of a busy queue become one.
local keys = require('keys')
local queue = require('queue')
local BUSY_PER_MINUTE = 200
-- Longer than `hash-max-listpack-value`.
local LONG = string.rep(' ', 65)
local function make_tables()
  local claimed = redis.call('HGET', keys.minutes, queue.minute .. ':claimed')
  if (tonumber(claimed) or 0) < BUSY_PER_MINUTE then return end
  for _, key in ipairs({ keys.counters, keys.minutes, keys.tallies }) do
    if redis.call('OBJECT', 'ENCODING', key) ~= 'hashtable' then
      redis.call('HSET', key, '.long', LONG)
      redis.call('HDEL', key, '.long')
    end
  end
end
return { make_tables = make_tables }
