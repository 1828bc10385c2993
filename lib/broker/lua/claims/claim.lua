-- Hands out ready jobs under a lease. See claim_jobs.lua.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups redriven operations history pauses config limits running throttled fair unique uniqueUntil counters minutes tallies wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call)
-- REPLY: status (1 open, 0 paused), more jobs are ready (1/0), next time something falls due (ms, 0 none), now; with jobs: ids and sizes, rows, earlier claims (claim_jobs.lua)
local claim_jobs = require('claims.claim_jobs')
local queue = require('queue')
local claimed = claim_jobs.claim(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5], 500)
return queue.commit(claimed)
