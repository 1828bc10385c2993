-- Adds to the totals of the once service. Apart from the marks: these stand in another slot of a cluster.
-- KEYS: onceCounters
-- ARGV: clock, then pairs: field, how many
-- REPLY: nothing
for i = 2, #ARGV, 2 do redis.call('HINCRBY', K_onceCounters, ARGV[i], ARGV[i + 1]) end
return 0
