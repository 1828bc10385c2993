-- Takes a share for a new queue or its sharding, which another script writes. A member that is held already needs no room; who makes it heavier takes it over.
-- KEYS: queuesShares
-- ARGV: clock, member, share it takes (see access/shares.lua), its weight
-- REPLY: 1 taken; or -1, why, ceiling: there are too many
local keys = require('keys')
local shares = require('access.shares')
local ask = shares.parse(ARGV[3])
local weight, held = tonumber(ARGV[4]), shares.owner(keys.queuesShares, ask.ceiling, ARGV[2])
if held and held.weight >= weight then return 1 end
local more = held and held.holder == ask.holder and weight - held.weight or weight
local why = shares.refusal(keys.queuesShares, ask, 0, more)
if why then return { -1, why, ask.ceiling } end
if held then shares.give_back(keys.queuesShares, ask.ceiling, ARGV[2]) end
shares.take(keys.queuesShares, ask, ARGV[2], weight)
return 1
