-- Records that the work is done, and its result. Refused when another owner has it by now: then the result of the other counts.
-- KEYS: once
-- ARGV: clock, owner token, how long to remember in ms, the result ('v' and JSON, 'u': none, 'x' and why it could not be stored)
-- REPLY: 1 recorded (or recorded before by this owner), 0 another has it
local clock = require('redis.clock')
local keys = require('keys')
local once_mark = require('once.once_mark')
local token = ARGV[2]
local mark = once_mark.parse(redis.call('GET', keys.once))
if mark and mark.token ~= token and (mark.done or mark.leaseUntil > clock.now) then return 0 end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('DEL', keys.once)
redis.call('SET', keys.once, 'done ' .. token .. ' ' .. clock.now .. ' ' .. ARGV[4], 'PX', ARGV[3])
return 1
