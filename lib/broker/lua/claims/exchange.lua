-- One round trip of a busy worker: completes what ended, then claims for the slots that became free.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups redriven operations outcomes completed finished finishedBefore results history pauses config limits running throttled fair unique uniqueUntil counters minutes tallies wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call), then the jobs to complete: see completion.lua
-- REPLY: the reply of ack, the reply of claim
local capacity = require('claims.capacity')
local claim_jobs = require('claims.claim_jobs')
local completion = require('claims.completion')
local queue = require('queue')
local settings = require('queues.settings')
local replies = completion.complete(6)
-- A tenant's limit needs the count of running jobs; without a limit it is written once, for both halves.
if settings.tenantLimits then capacity.commit() end
local claimed = claim_jobs.claim(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5], 500 - 2 * ARGV[6])
return queue.commit({ replies, claimed })
