-- The work failed: whoever asks next may start it. Only its owner may say so.
-- KEYS: once
-- ARGV: clock, owner token
-- REPLY: 1 given up, 0 not the owner's, or done
--@include once
local mark = once_of(redis.call('GET', K_once))
if not mark or mark.done or mark.token ~= ARGV[2] then return 0 end
redis.call('DEL', K_once)
return 1
