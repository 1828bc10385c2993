-- Takes a message to send it, or records the result of an attempt, if its status still is what the sender read.
-- KEYS: alertsAttempts alertsDue alertsChannels
-- ARGV: clock, id, status as read, status as it shall be, when it is due again ('' never), channel, latest attempt of the channel as JSON ('' as it is)
-- REPLY: 1 done, 0 another process was first
local keys = require('keys')
local id = ARGV[2]
if (redis.call('HGET', keys.alertsAttempts, id) or '') ~= ARGV[3] then return 0 end
-- A removal first, so that this works when memory is full (ADR 11).
redis.call('ZREM', keys.alertsDue, id)
redis.call('HSET', keys.alertsAttempts, id, ARGV[4])
if ARGV[5] ~= '' then redis.call('ZADD', keys.alertsDue, ARGV[5], id) end
if ARGV[7] ~= '' then
  -- Names of channels that were configured once stay: there are few.
  if redis.call('HLEN', keys.alertsChannels) >= 200 then redis.call('DEL', keys.alertsChannels) end
  redis.call('HSET', keys.alertsChannels, 'latest ' .. ARGV[6], ARGV[7])
end
return 1
