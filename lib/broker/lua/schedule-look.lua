-- Puts off looking at an entry, or forgets it, unless somebody else has put it elsewhere meanwhile.
-- KEYS: schedulesDue schedulesShares
-- ARGV: clock, member, its score as it was read, its new score ('' to forget it)
-- REPLY: 1 done, 0 it was elsewhere
--@include shares
local score = redis.call('ZSCORE', K_schedulesDue, ARGV[2])
if not score or tonumber(score) ~= tonumber(ARGV[3]) then return 0 end
redis.call('ZREM', K_schedulesDue, ARGV[2])
if ARGV[4] ~= '' then
  redis.call('ZADD', K_schedulesDue, ARGV[4], ARGV[2])
else
  share_give(K_schedulesShares, 'fences', ARGV[2])
end
return 1
