-- Gives back every job that claim calls of one name took and still hold; see claim-named. With a nonce: of that call only.
-- KEYS: ready waiting inflight claims attempts history calls callEnds config running throttled counters minutes events wake
-- ARGV: clock, name of the call, nonce of the one call ("" all of that name)
-- REPLY: released
--@include count
--@include emit
--@include wake
--@include give-back
--@include calls
local row = redis.call('HGET', K_calls, ARGV[2])
if not row then return 0 end
local kept, taken = {}, {}
for call in string.gmatch(row, '%S+') do
  local nonce = string.match(call, '^[^|]+')
  local into = (ARGV[3] == '' or nonce == ARGV[3]) and taken or kept
  into[#into + 1] = call
end
if #kept == 0 then forget_calls({ ARGV[2] }) end
for _, call in ipairs(taken) do
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
if #kept > 0 and #taken > 0 then redis.call('HSET', K_calls, ARGV[2], table.concat(kept, ' ')) end
return #returned
