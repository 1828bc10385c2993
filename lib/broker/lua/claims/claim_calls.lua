-- calls: name of a claim call -> "<nonce>|<id>|<id>…", once more behind a space for each further call of that name; callEnds:
-- the name by when the leases end. The nonce is part of the tokens and new in each call, so a name that comes again repeats none.
local clock = require('redis.clock')
local keys = require('keys')
local CALLS_MAX = 10000
local function remove(names)
  if #names == 0 then return end
  redis.call('ZREM', keys.callEnds, unpack(names))
  redis.call('HDEL', keys.calls, unpack(names))
end
-- Forgets calls after their leases: reclaim takes back the jobs they still hold. Returns whether there may be more.
local function expire(most)
  local names = redis.call('ZRANGE', keys.callEnds, '-inf', clock.now, 'BYSCORE', 'LIMIT', 0, most)
  remove(names)
  -- Calls without an end would stay for ever.
  if redis.call('ZCARD', keys.callEnds) == 0 then redis.call('UNLINK', keys.calls) end
  return #names >= most
end
return { CALLS_MAX = CALLS_MAX, remove = remove, expire = expire }
