-- Gives back every job of a claim call after its reply was lost. Scans the claims in steps: for calls that are not in `calls`.
-- KEYS: ready waiting retry inflight claims attempts history config running throttled counters minutes events wake
-- ARGV: clock, nonce of the claim call, scan cursor
-- REPLY: next cursor ("0" at the end), released
local claim_row = require('rows.claim_row')
local keys = require('keys')
local queue = require('queue')
local released_claims = require('claims.released_claims')
local found = redis.call('HSCAN', keys.claims, ARGV[3], 'COUNT', 500)
local rows = found[2]
for i = 1, #rows, 2 do
  local claim = claim_row.parse(rows[i + 1])
  if claim and claim.nonce == ARGV[2] then released_claims.add(rows[i], claim, 0, '{"reason":"the reply to its claim was lost"}') end
end
return queue.commit({ found[1], released_claims.count() })
