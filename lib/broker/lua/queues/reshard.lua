-- Closes a shard to producers that know an older sharding, before the newer one is written, so that no job enters a shard that
-- nothing reads any more. Only a shard without jobs can be closed for a change; see lib/broker/queues/change-sharding.ts.
-- KEYS: jobs finished finishedBefore config changes
-- ARGV: clock, the newer sharding ("<generation> <count> <by>"), entry for the history of changes ('' none), actor and reason as JSON, before, after
-- REPLY: 1 closed, 2 it was closed before, 0 it holds jobs, -1 this shard has a newer generation; then how many jobs
local change_log = require('queues.change_log')
local clock = require('redis.clock')
local keys = require('keys')
local resend_window = require('jobs.resend_window')
local jobs = redis.call('HLEN', keys.jobs)
local known = tonumber(string.match(redis.call('HGET', keys.config, 'sharding') or '0', '^%d+') or 0)
local generation = tonumber(string.match(ARGV[2], '^%d+'))
if known > generation then return { -1, jobs } end
if known == generation then return { 2, jobs } end
if jobs > 0 then return { 0, jobs } end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.config, '')
redis.call('HSET', keys.config, 'sharding', ARGV[2])
resend_window.restart(clock.now)
if ARGV[3] ~= '' then change_log.add(ARGV[3], ARGV[4], ARGV[5], ARGV[6]) end
return { 1, 0 }
