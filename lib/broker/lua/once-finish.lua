-- Records that the work is done, and what came of it. Refused when another has it by now: then what that one says counts.
-- KEYS: once
-- ARGV: clock, owner token, how long to remember in ms, what to keep ('v' and the result as JSON, 'u': no result, 'x' and why it could not be kept)
-- REPLY: 1 recorded (or recorded before by this owner), 0 another has it
--@include now
--@include once
local token = ARGV[2]
local mark = once_of(redis.call('GET', K_once))
if mark and mark.token ~= token and (mark.done or mark.leaseUntil > now) then return 0 end
-- A removal comes first: the work is done, and must be known to be, just when memory is full.
redis.call('DEL', K_once)
redis.call('SET', K_once, 'done ' .. token .. ' ' .. now .. ' ' .. ARGV[4], 'PX', ARGV[3])
return 1
