-- Gives back every job of one claim call whose reply never arrived. Walks the claims in steps.
-- KEYS: ready waiting inflight claims attempts history config running throttled counters minutes events wake
-- ARGV: clock, nonce of the claim call, scan cursor
-- REPLY: next cursor ("0" at the end), released
--@include count
--@include emit
--@include wake
--@include claims
--@include attempts
--@include released
--@include running
local found = redis.call('HSCAN', K_claims, ARGV[3], 'COUNT', 500)
local rows, back = found[2], {}
for i = 1, #rows, 2 do
  local id, claim = rows[i], claim_of(rows[i + 1])
  if claim and claim.nonce == ARGV[2] and redis.call('HDEL', K_claims, id) == 1 then
    redis.call('ZREM', K_inflight, id)
    leaves_flight(claim.tenant)
    set_tries(id, claim.attempt - 1, claim.deliveries, claim.losses, claim.redrives, 'released:' .. claim.token)
    redis.call('ZADD', K_ready, claim.score, id)
    redis.call('ZADD', K_waiting, now, id)
    remember_release(id, claim, '{"reason":"the reply to its claim was lost"}')
    back[#back + 1] = id
  end
end
book_slots()
if #back > 0 then
  count('released', #back)
  emit('released', back)
  wake()
end
return { found[1], #back }
