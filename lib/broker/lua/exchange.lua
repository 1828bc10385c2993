-- One round trip of a busy worker: completes what ended, then claims for the slots that became free.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups driven operations outcomes completed finished finishedBefore results history pauses config limits running throttled fair unique uniqueUntil counters minutes wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call), then per job to complete: id, token, result
-- REPLY: the reply of ack, the reply of claim
--@include tally
--@include emit
--@include row
--@include claims
--@lazy unique
--@lazy history
--@lazy attempts
--@lazy bury
--@lazy held
--@lazy pauses
--@lazy ready
--@lazy limits
--@lazy trim
--@lazy fulfil
--@include complete
--@include admit
local replies = complete(6)
-- A tenant's limit looks at the slots; without one they are booked once, for both halves.
if settings[4] then book_slots(settings_of_limits) end
local claimed = admit(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5])
book_slots(settings_of_limits)
trim_history()
book_tallies()
return { replies, claimed }
