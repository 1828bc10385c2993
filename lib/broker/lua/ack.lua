-- Completes claimed jobs. See include/complete.lua.
-- KEYS: jobs ready inflight claims attempts completed finished finishedBefore results history deaths driven operations outcomes unique uniqueUntil config running throttled counters minutes wake events
-- ARGV: clock, then per job: id, token, result (text, may be empty)
-- REPLY: per job: 1 completed, 2 already completed by this token, 0 stale
--@include tally
--@include emit
--@lazy unique
--@lazy trim
--@lazy fulfil
--@include complete
local replies = complete(2)
book_slots(settings_of_limits)
trim_history()
book_tallies()
return replies
