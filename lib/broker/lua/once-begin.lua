-- Starts work that must not be done twice, or says who else does or did it. Asked again by its owner: renews the lease.
-- KEYS: once
-- ARGV: clock, owner token, lease in ms, how long to remember in ms
-- REPLY: 1 yours, 2 yours, its former owner's lease ran out, 3 already done, 0 in progress elsewhere; then the rest of the lease in ms; then what was kept (result of a done one)
--@include now
--@include once
local token, lease, keep = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local mark = once_of(redis.call('GET', K_once))
if mark and mark.done then return { 3, 0, mark.rest } end
if mark and mark.token ~= token and mark.leaseUntil > now then return { 0, mark.leaseUntil - now, '' } end
-- A removal comes first, so that running jobs can end when memory is full.
redis.call('DEL', K_once)
redis.call('SET', K_once, 'running ' .. token .. ' ' .. (now + lease), 'PX', lease + keep)
return { mark and mark.token ~= token and 2 or 1, lease, '' }
