-- Gives back every job that claim calls of one name took and still hold; see claim-named.
-- KEYS: ready waiting inflight claims attempts history calls callEnds config running throttled counters minutes events wake
-- ARGV: clock, name of the call
-- REPLY: released
--@include count
--@include emit
--@include wake
--@include give-back
--@include calls
local row = redis.call('HGET', K_calls, ARGV[2])
if not row then return 0 end
forget_calls({ ARGV[2] })
for call in string.gmatch(row, '%S+') do
  local nonce, list = string.match(call, '^([^|]+)|(.+)$')
  local ids = {}
  for id in string.gmatch(list or '', '[^|]+') do ids[#ids + 1] = id end
  local rows = #ids > 0 and redis.call('HMGET', K_claims, unpack(ids)) or {}
  for i = 1, #ids do
    local claim = rows[i] and claim_of(rows[i])
    if claim and claim.nonce == nonce then give_back(ids[i], claim) end
  end
end
book_returned()
return #returned
