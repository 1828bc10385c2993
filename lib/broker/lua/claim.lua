-- Hands out ready jobs under a lease. See include/admit.lua.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups driven operations history pauses config limits running throttled fair unique uniqueUntil counters minutes wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call)
-- REPLY: status (1 open, 0 paused), more to be had (1/0), next time something falls due (ms, 0 none), now, then per job: id, delivery, attempt, lease losses, row
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
local claimed = admit(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5])
book_slots(settings_of_limits)
book_tallies()
return claimed
