-- Forgets the fence of a schedule that left this queue, unless it came back since.
-- KEYS: occurrences
-- ARGV: clock, schedule id, generation it was raised to when the schedule left
-- REPLY: 1 forgotten, 0 there is none, or a later one
local fence = require('schedules.fence')
local keys = require('keys')
local row = redis.call('HGET', keys.occurrences, ARGV[2])
if not row or fence.parse(row) > tonumber(ARGV[3]) then return 0 end
return redis.call('HDEL', keys.occurrences, ARGV[2])
