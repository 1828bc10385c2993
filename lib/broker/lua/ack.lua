-- Completes claimed jobs. See include/complete.lua.
-- KEYS: jobs ready inflight claims attempts completed results history deaths unique uniqueUntil config running throttled counters minutes wake events
-- ARGV: clock, then per job: id, token, result (text, may be empty)
-- REPLY: per job: 1 completed, 2 already completed by this token, 0 stale
--@include count
--@include emit
--@include complete
return complete(2)
