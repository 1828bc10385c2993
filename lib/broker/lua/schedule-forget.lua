-- Forgets the fence of a schedule that left this queue, unless it came back since.
-- KEYS: slots
-- ARGV: clock, schedule id, generation it was raised to when the schedule left
-- REPLY: 1 forgotten, 0 there is none, or a later one
--@include slots
local row = redis.call('HGET', K_slots, ARGV[2])
if not row or fence_of(row) > tonumber(ARGV[3]) then return 0 end
return redis.call('HDEL', K_slots, ARGV[2])
