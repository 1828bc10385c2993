-- Memory of a queue's keys, each estimated from a few of its rows.
-- KEYS: jobs ready waiting inflight claims calls callEnds scheduled retry held heldBy attempts history dead deadBy deaths deadCounts groups suppressed trash completed finished finishedBefore results config pauses pauseShares limits running throttled fair unique uniqueUntil idempotency idempotencyDue occurrences changes audit counters minutes minuteRows minuteBlocks tenMinuteRows workerCounts tallies wake events operations redriven outcomes
-- ARGV: clock, rows to sample of each key
-- REPLY: now, then bytes of each key in the order above; -1: the key does not exist
local clock = require('redis.clock')
local keys = require('keys')
local all = {
  keys.jobs, keys.ready, keys.waiting, keys.inflight, keys.claims, keys.calls, keys.callEnds, keys.scheduled, keys.retry,
  keys.held, keys.heldBy, keys.attempts, keys.history, keys.dead, keys.deadBy, keys.deaths, keys.deadCounts, keys.groups,
  keys.suppressed, keys.trash, keys.completed, keys.finished, keys.finishedBefore, keys.results, keys.config, keys.pauses,
  keys.pauseShares, keys.limits, keys.running, keys.throttled, keys.fair, keys.unique, keys.uniqueUntil, keys.idempotency, keys.idempotencyDue, keys.occurrences,
  keys.changes, keys.audit, keys.counters, keys.minutes, keys.minuteRows,
  keys.minuteBlocks, keys.tenMinuteRows, keys.workerCounts, keys.tallies, keys.wake, keys.events, keys.operations, keys.redriven, keys.outcomes,
}
local reply = { clock.now }
for i = 1, #all do
  local key = all[i]
  reply[i + 1] = redis.call('MEMORY', 'USAGE', key, 'SAMPLES', ARGV[2]) or -1
end
return reply
