-- A whole hash that a producer's or worker's Redis user can write without Redrive.
-- KEYS: index
-- ARGV: clock, fields at most, bytes at most
-- REPLY: fields and values; an error that begins with OVERSIZED, where there are more
local bounded = require('redis.bounded')
local keys = require('keys')
local fields, refusal = bounded.hash(keys.index, tonumber(ARGV[2]))
if not fields then return refusal end
return bounded.reply(fields, tonumber(ARGV[3]), keys.index)
