-- Whether the caller should call a heartbeat address now: one console at a time does.
-- KEYS: alertsChannels
-- ARGV: clock, channel, ms until the next call
-- REPLY: 1 yes, 0 another console does
local clock = require('redis.clock')
local keys = require('keys')
local field = 'beat ' .. ARGV[2]
if (tonumber(redis.call('HGET', keys.alertsChannels, field) or 0) or 0) > clock.now then return 0 end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.alertsChannels, field)
if redis.call('HLEN', keys.alertsChannels) >= 200 then redis.call('DEL', keys.alertsChannels) end
redis.call('HSET', keys.alertsChannels, field, string.format('%.0f', clock.now + tonumber(ARGV[3])))
return 1
