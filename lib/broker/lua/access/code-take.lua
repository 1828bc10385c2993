-- Uses up a one-time code: of several calls, one succeeds.
-- KEYS: accessLinks
-- ARGV: clock, digest
-- REPLY: 1 it was good, 0 it was used before, has run out, or never was
local clock = require('redis.clock')
local keys = require('keys')
local over = tonumber(redis.call('HGET', keys.accessLinks, ARGV[2]) or 0)
redis.call('HDEL', keys.accessLinks, ARGV[2])
return over > clock.now and 1 or 0
