-- Puts off looking at an entry, or forgets it, unless somebody else has put it elsewhere meanwhile.
-- KEYS: schedulesDue schedulesShares
-- ARGV: clock, member, its score as it was read, its new score ('' to forget it)
-- REPLY: 1 done, 0 it was elsewhere
local keys = require('keys')
local shares = require('access.shares')
local score = redis.call('ZSCORE', keys.schedulesDue, ARGV[2])
if not score or tonumber(score) ~= tonumber(ARGV[3]) then return 0 end
redis.call('ZREM', keys.schedulesDue, ARGV[2])
if ARGV[4] ~= '' then
  redis.call('ZADD', keys.schedulesDue, ARGV[4], ARGV[2])
else
  shares.give_back(keys.schedulesShares, 'fences', ARGV[2])
end
return 1
