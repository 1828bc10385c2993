-- Gives back the shares of queues that are gone.
-- KEYS: queuesShares
-- ARGV: clock, ceiling, members (at most 200)
-- REPLY: 1
local keys = require('keys')
local shares = require('access.shares')
for i = 3, #ARGV do shares.give_back(keys.queuesShares, ARGV[2], ARGV[i]) end
return 1
