-- Raises a schedule's fence: from now on no tick of an older generation enters anything here. Says what was done up to now.
-- KEYS: occurrences changes
-- ARGV: clock, schedule id, generation, 1 for a new schedule (whose count starts anew), actor and reason as JSON, before and after (json)
-- REPLY: 1 raised, or 0: the fence is at this generation or a later one; generation, last slot, last job, outcome, entered, skipped
local change_log = require('queues.change_log')
local fence = require('schedules.fence')
local keys = require('keys')
local past_runs = require('schedules.past_runs')
local id, generation = ARGV[2], tonumber(ARGV[3])
local at, slot, job, outcome, entered, skipped = fence.parse(redis.call('HGET', keys.occurrences, id))
if at >= generation then return { 0, at, slot, job, outcome, entered, skipped } end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.occurrences, '')
if ARGV[4] == '1' then
  job, outcome, entered, skipped = '-', '-', 0, 0
  past_runs.forget(id)
end
fence.save(id, generation, slot, job, outcome, entered, skipped)
change_log.add('schedule', ARGV[5], ARGV[6], ARGV[7])
return { 1, generation, slot, job, outcome, entered, skipped }
