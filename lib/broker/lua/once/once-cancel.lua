-- The work failed: the next caller may start it. Only its owner may say so.
-- KEYS: once
-- ARGV: clock, owner token
-- REPLY: 1 given up, 0 not the owner's, or done
local keys = require('keys')
local once_mark = require('once.once_mark')
local mark = once_mark.parse(redis.call('GET', keys.once))
if not mark or mark.done or mark.token ~= ARGV[2] then return 0 end
redis.call('DEL', keys.once)
return 1
