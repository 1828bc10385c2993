-- As claim, and writes down under the call's name which jobs it took: `abandon-named` then finds them however many are in flight.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups driven operations history pauses config limits running throttled fair unique uniqueUntil calls callEnds counters minutes wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call), name of the call
-- REPLY: as claim
--@include tally
--@include emit
--@include row
--@lazy unique
--@lazy history
--@lazy attempts
--@lazy bury
--@lazy held
--@lazy pauses
--@lazy ready
--@lazy limits
--@include settings
--@include running
--@include admit
--@include calls
sweep_calls(10)
local claimed = admit(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5])
book_slots(settings_of_limits)
book_tallies()
if #claimed > 4 then
  local name, before = ARGV[6], redis.call('HGET', K_calls, ARGV[6])
  local ids = { ARGV[5] }
  for i = 5, #claimed, 5 do ids[#ids + 1] = claimed[i] end
  -- One abandon gives back 500 at most: older calls of the name then wait for their leases to end.
  if before and select(2, string.gsub(before, '|', '')) + #ids - 1 > 500 then before = nil end
  if redis.call('ZCARD', K_callEnds) >= CALLS_MAX then forget_calls({ redis.call('ZPOPMIN', K_callEnds)[1] }) end
  redis.call('HSET', K_calls, name, (before and before .. ' ' or '') .. table.concat(ids, '|'))
  redis.call('ZADD', K_callEnds, string.format('%.0f', now + ARGV[3]), name)
end
return claimed
