-- Gives back the shares of what is gone.
-- KEYS: queuesShares
-- ARGV: clock, ceiling, members (at most 200)
-- REPLY: 1
--@include shares
for i = 3, #ARGV do share_give(K_queuesShares, ARGV[2], ARGV[i]) end
return 1
