-- Whether a shard was never used, or its keys were deleted; on demand deletes what was left in it by a choice of its sharding. What a
-- person set, a job left behind, or waits for the audit log, stays.
-- KEYS: jobs ready waiting inflight claims calls callEnds scheduled retry held heldBy attempts history dead deadBy deaths deadCounts groups suppressed trash completed finished finishedBefore results config pauses pauseShares limits running throttled fair unique uniqueUntil slots changes audit counters minutes wake events operations driven outcomes
-- ARGV: clock, '1' to delete
-- REPLY: 0 it is in use, 1 it has no key at all, 2 only its sharding was chosen
--@include now
if redis.call('EXISTS', K_jobs, K_ready, K_waiting, K_inflight, K_claims, K_calls, K_callEnds, K_scheduled, K_retry, K_held, K_heldBy,
  K_attempts, K_history, K_dead, K_deadBy, K_deaths, K_deadCounts, K_groups, K_suppressed, K_trash, K_completed, K_results, K_pauses,
  K_pauseShares, K_limits, K_running, K_throttled, K_fair, K_unique, K_uniqueUntil, K_slots, K_counters, K_minutes, K_operations,
  K_driven, K_outcomes) > 0 then return 0 end
if redis.call('EXISTS', K_config, K_changes, K_audit, K_events, K_wake, K_finished, K_finishedBefore) == 0 then return 1 end
local config = redis.call('HMGET', K_config, 'sharding', 'revision', 'draining')
-- Sharing out the limits over new shards is the first revision; settings that a person chose are another.
if not config[1] or tonumber(config[2] or 0) > 1 or config[3] then return 0 end
local newest = redis.call('XREVRANGE', K_audit, '+', '-', 'COUNT', 1)[1]
if newest and tonumber(string.match(newest[1], '^%d+')) > now - 86400000 then return 0 end
if ARGV[2] == '1' then redis.call('DEL', K_config, K_changes, K_audit, K_events, K_wake, K_finished, K_finishedBefore) end
return 2
