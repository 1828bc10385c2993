-- Completes claimed jobs. See completion.lua.
-- KEYS: jobs ready inflight claims attempts completed finished finishedBefore results history deaths redriven operations outcomes unique uniqueUntil config running throttled counters minutes wake events
-- ARGV: clock, number of jobs, "<token> <how many of the ids> …" in turn, ids, then per result: position of its job, text
-- REPLY: 1 when all were completed; else per job: 1 completed, 2 already completed by this token, 0 stale
local completion = require('claims.completion')
local queue = require('queue')
return queue.commit(completion.complete(2))
