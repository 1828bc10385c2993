-- calls: name of a claim call -> "<nonce>|<id>|<id>…", once more behind a space for each further call of that name; callEnds:
-- the name by when the leases end. The nonce is part of the tokens and new in each call, so a name that comes again repeats none.
local CALLS_MAX = 10000
local function forget_calls(names)
  if #names == 0 then return end
  redis.call('ZREM', K_callEnds, unpack(names))
  redis.call('HDEL', K_calls, unpack(names))
end
-- Calls whose leases are over: what they still hold is reclaimed. Returns whether there may be more.
local function sweep_calls(most)
  local names = redis.call('ZRANGE', K_callEnds, '-inf', now, 'BYSCORE', 'LIMIT', 0, most)
  forget_calls(names)
  -- What has no end any more would stay for ever.
  if redis.call('ZCARD', K_callEnds) == 0 then redis.call('UNLINK', K_calls) end
  return #names >= most
end
