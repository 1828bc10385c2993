-- Deletes ended operations whose rows in the shards are gone, or only gives back the shares of those that can no longer be undone.
-- KEYS: operationsIndex operationsRecords operationsShares
-- ARGV: clock, 'delete' or 'share', ids (at most 200)
-- REPLY: 1
local keys = require('keys')
local shares = require('access.shares')
for i = 3, #ARGV do
  shares.give_back(keys.operationsShares, 'undos', ARGV[i])
  if ARGV[2] == 'delete' then
    redis.call('ZREM', keys.operationsIndex, ARGV[i])
    redis.call('HDEL', keys.operationsRecords, ARGV[i], ARGV[i] .. ' jobs')
  end
end
return 1
