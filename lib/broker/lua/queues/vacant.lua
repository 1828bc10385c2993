-- Whether a queue has no key at all: it was never used, or its keys were deleted. When it was deleted (finishedBefore) does not
-- count: it expires.
-- KEYS: jobs ready waiting inflight claims calls callEnds scheduled retry held heldBy attempts history dead deadBy deaths deadCounts groups suppressed trash completed finished results config pauses pauseShares limits running throttled fair unique uniqueUntil idempotency idempotencyDue occurrences changes audit counters minutes minuteRows minuteBlocks tenMinuteRows workerCounts tallies wake events operations redriven outcomes
-- ARGV: clock
-- REPLY: 1 it has none, 0 it has some
local keys = require('keys')
return redis.call('EXISTS', keys.jobs, keys.ready, keys.waiting, keys.inflight, keys.claims, keys.calls, keys.callEnds, keys.scheduled, keys.retry,
  keys.held, keys.heldBy, keys.attempts, keys.history, keys.dead, keys.deadBy, keys.deaths, keys.deadCounts, keys.groups, keys.suppressed, keys.trash,
  keys.completed, keys.finished, keys.results, keys.config, keys.pauses, keys.pauseShares, keys.limits, keys.running, keys.throttled,
  keys.fair, keys.unique, keys.uniqueUntil, keys.idempotency, keys.idempotencyDue, keys.occurrences, keys.changes, keys.audit, keys.counters, keys.minutes, keys.minuteRows, keys.minuteBlocks, keys.tenMinuteRows, keys.workerCounts, keys.tallies, keys.wake, keys.events, keys.operations,
  keys.redriven, keys.outcomes) == 0 and 1 or 0
