-- Takes a share for a new queue or its sharding, which another script writes. A member that is held already needs no room.
-- KEYS: queuesShares
-- ARGV: clock, member, share it takes (see access/shares.lua)
-- REPLY: 1 taken; or -1, why, ceiling: there are too many
local keys = require('keys')
local shares = require('access.shares')
local ask = shares.parse(ARGV[3])
if redis.call('HEXISTS', keys.queuesShares, ask.ceiling .. ' of ' .. ARGV[2]) == 1 then return 1 end
local why = shares.refusal(keys.queuesShares, ask)
if why then return { -1, why, ask.ceiling } end
shares.take(keys.queuesShares, ask, ARGV[2])
return 1
