-- Closes a shard to producers that know an older sharding, before the newer one is written: so no job can come to where
-- nobody would look for it. Only a shard without jobs can be closed for a change; see lib/broker/sharded/change.ts.
-- KEYS: jobs finished finishedBefore config changes
-- ARGV: clock, the newer sharding ("<generation> <count> <by>"), what of it goes into the record ('' nothing), json (who and why), before, after
-- REPLY: 1 closed, 2 it was closed before, 0 it holds jobs, -1 a newer generation is known here; then how many jobs
--@include now
--@include change
--@include horizon
local jobs = redis.call('HLEN', K_jobs)
local known = tonumber(string.match(redis.call('HGET', K_config, 'sharding') or '0', '^%d+') or 0)
local generation = tonumber(string.match(ARGV[2], '^%d+'))
if known > generation then return { -1, jobs } end
if known == generation then return { 2, jobs } end
if jobs > 0 then return { 0, jobs } end
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('HDEL', K_config, '')
redis.call('HSET', K_config, 'sharding', ARGV[2])
begin_horizon(now)
if ARGV[3] ~= '' then enter_change(ARGV[3], ARGV[4], ARGV[5], ARGV[6]) end
return { 1, 0 }
