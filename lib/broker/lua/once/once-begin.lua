-- Starts work that must not be done twice, or says who else does or did it. Asked again by its owner: renews the lease.
-- KEYS: once
-- ARGV: clock, owner token, lease in ms, how long to remember in ms
-- REPLY: 1 yours, 2 yours, its former owner's lease ran out, 3 already done, 0 in progress elsewhere; then the rest of the lease in ms; then the result of finished work
local clock = require('redis.clock')
local keys = require('keys')
local once_mark = require('once.once_mark')
local token, lease, keep = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local mark = once_mark.parse(redis.call('GET', keys.once))
if mark and mark.done then return { 3, 0, mark.rest } end
if mark and mark.token ~= token and mark.leaseUntil > clock.now then return { 0, mark.leaseUntil - clock.now, '' } end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('DEL', keys.once)
redis.call('SET', keys.once, 'running ' .. token .. ' ' .. (clock.now + lease), 'PX', lease + keep)
return { mark and mark.token ~= token and 2 or 1, lease, '' }
