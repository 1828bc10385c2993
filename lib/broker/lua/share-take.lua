-- Takes a share of what is written elsewhere: the name of a new queue, the sharding of one. A member that is held already needs no room.
-- KEYS: queuesShares
-- ARGV: clock, member, whose share it takes (see include/shares)
-- REPLY: 1 taken; or -1, why, ceiling: there are too many
--@include shares
local ask = share_ask(ARGV[3])
if redis.call('HEXISTS', K_queuesShares, ask.ceiling .. ' of ' .. ARGV[2]) == 1 then return 1 end
local why = share_refused(K_queuesShares, ask)
if why then return { -1, why, ask.ceiling } end
share_take(K_queuesShares, ask, ARGV[2])
return 1
