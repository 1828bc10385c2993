-- What the parts of mend.lua share.
local mended, unfinished = 0, false
-- Where a walk stands. A finished one leaves no trace.
local function stands_at(walk)
  return redis.call('HGET', K_limits, 'mend:' .. walk) or '0'
end
local function goes_on_at(walk, cursor)
  if cursor == '0' then
    redis.call('HDEL', K_limits, 'mend:' .. walk)
  else
    redis.call('HSET', K_limits, 'mend:' .. walk, cursor)
    unfinished = true
  end
end
-- The same for a walk by rank: where `n` of at most `limit` entries were seen.
local function goes_on_after(walk, from, n, limit)
  goes_on_at(walk, n < limit and '0' or tostring(from + n))
end
-- Whether a job is in a state other than in-flight.
local function placed(id)
  return redis.call('ZSCORE', K_ready, id) or redis.call('ZSCORE', K_scheduled, id) or redis.call('ZSCORE', K_retry, id)
    or redis.call('ZSCORE', K_held, id) or redis.call('ZSCORE', K_completed, id) or redis.call('ZSCORE', K_dead, id)
    or redis.call('ZSCORE', K_suppressed, id) or redis.call('ZSCORE', K_trash, id)
end
