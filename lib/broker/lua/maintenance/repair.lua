-- Puts back what no script leaves behind, but a hand, an eviction or a lost key can: jobs in a state that nothing leads out of,
-- or in none; side tables that no longer tell the truth. A sound queue costs it some twenty-five counts. Where it walks, it goes on
-- next time from where it was (`limits`, fields `repair:…`). Jobs without a known state become dead letters, where users see them.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups redriven operations outcomes suppressed trash completed results history pauses throttled unique uniqueUntil running config limits counters minutes tallies events wake changes
-- ARGV: clock
-- REPLY: how many entries were put right, more to be looked at (1/0)
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
local keys = require('keys')
local queue = require('queue')
local repair_claims = require('maintenance.repair_claims')
local repair_dead = require('maintenance.repair_dead')
local repair_held = require('maintenance.repair_held')
local repair_pauses = require('maintenance.repair_pauses')
local repair_redriven = require('maintenance.repair_redriven')
local repair_rows = require('maintenance.repair_rows')
local repair_walk = require('maintenance.repair_walk')
redis.call('ZREM', keys.ready, '')
repair_claims.leases()
repair_claims.capacity()
repair_claims.ready()
repair_pauses.apply()
repair_held.apply()
repair_dead.apply()
repair_rows.unique_keys()
-- Last: the others found the states of all other jobs.
repair_rows.apply()
repair_redriven.apply()
queue.wake()
return queue.commit(repair_walk.result())
