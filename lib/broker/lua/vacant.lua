-- Whether a queue has no key at all: it was never used, or its keys were deleted. When it was deleted (finishedBefore) does not
-- count: it expires.
-- KEYS: jobs ready waiting inflight claims calls callEnds scheduled retry held heldBy attempts history dead deadBy deaths deadCounts groups suppressed trash completed finished results config pauses pauseShares limits running throttled fair unique uniqueUntil slots changes audit counters minutes wake events operations driven outcomes
-- ARGV: clock
-- REPLY: 1 it has none, 0 it has some
return redis.call('EXISTS', K_jobs, K_ready, K_waiting, K_inflight, K_claims, K_calls, K_callEnds, K_scheduled, K_retry,
  K_held, K_heldBy, K_attempts, K_history, K_dead, K_deadBy, K_deaths, K_deadCounts, K_groups, K_suppressed, K_trash,
  K_completed, K_finished, K_results, K_config, K_pauses, K_pauseShares, K_limits, K_running, K_throttled,
  K_fair, K_unique, K_uniqueUntil, K_slots, K_changes, K_audit, K_counters, K_minutes, K_wake, K_events, K_operations,
  K_driven, K_outcomes) == 0 and 1 or 0
