-- Forgets the fence of a schedule that left this queue, unless it came back since.
-- KEYS: occurrences
-- ARGV: clock, schedule id, generation it was raised to when the schedule left
-- REPLY: 1 forgotten, 0 there is none, or a later one
local fence = require('schedules.fence')
local keys = require('keys')
local past_runs = require('schedules.past_runs')
local row = redis.call('HGET', keys.occurrences, ARGV[2])
if not row or fence.parse(row) > tonumber(ARGV[3]) then return 0 end
past_runs.forget(ARGV[2])
return redis.call('HDEL', keys.occurrences, ARGV[2])
