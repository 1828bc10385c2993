-- Gives back every job of one claim call whose reply never arrived. Walks the claims in steps: for calls that are not in `calls`.
-- KEYS: ready waiting inflight claims attempts history config running throttled counters minutes events wake
-- ARGV: clock, nonce of the claim call, scan cursor
-- REPLY: next cursor ("0" at the end), released
--@include count
--@include emit
--@include wake
--@include give-back
local found = redis.call('HSCAN', K_claims, ARGV[3], 'COUNT', 500)
local rows = found[2]
for i = 1, #rows, 2 do
  local claim = claim_of(rows[i + 1])
  if claim and claim.nonce == ARGV[2] then give_back(rows[i], claim) end
end
book_returned()
return { found[1], #returned }
