-- As claim, and writes down under the call's name which jobs it took: `claim-abandon-named` then finds them however many are in flight.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups redriven operations history pauses config limits running throttled fair unique uniqueUntil calls callEnds counters minutes tallies wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call), name of the call
-- REPLY: as claim
local claim_calls = require('claims.claim_calls')
local claim_jobs = require('claims.claim_jobs')
local keys = require('keys')
local queue = require('queue')
claim_calls.expire(10)
local claimed, taken = claim_jobs.claim(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5], 400)
if #taken > 0 then
  local name, before = ARGV[6], redis.call('HGET', keys.calls, ARGV[6])
  -- One abandon gives back 500 at most: older calls of the name then wait for their leases to end.
  if before and select(2, string.gsub(before, '|', '')) + #taken > 500 then before = nil end
  if redis.call('ZCARD', keys.callEnds) >= claim_calls.CALLS_MAX then claim_calls.remove({ redis.call('ZPOPMIN', keys.callEnds)[1] }) end
  redis.call('HSET', keys.calls, name, (before and before .. ' ' or '') .. ARGV[5] .. '|' .. table.concat(taken, '|'))
  redis.call('ZADD', keys.callEnds, string.format('%.0f', queue.now + ARGV[3]), name)
end
return queue.commit(claimed)
