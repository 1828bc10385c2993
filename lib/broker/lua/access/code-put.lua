-- Stores the digest of a one-time code until it is used or expires.
-- KEYS: accessLinks
-- ARGV: clock, digest, how long in ms, most codes
-- REPLY: 1
local clock = require('redis.clock')
local keys = require('keys')
redis.call('HDEL', keys.accessLinks, ARGV[2])
local some, soonest, at = redis.call('HRANDFIELD', keys.accessLinks, 100, 'WITHVALUES'), nil, nil
for i = 1, #some, 2 do
  local over = tonumber(some[i + 1]) or 0
  if over <= clock.now then redis.call('HDEL', keys.accessLinks, some[i])
  elseif not at or over < at then soonest, at = some[i], over end
end
if soonest and redis.call('HLEN', keys.accessLinks) >= tonumber(ARGV[4]) then redis.call('HDEL', keys.accessLinks, soonest) end
redis.call('HSET', keys.accessLinks, ARGV[2], string.format('%.0f', clock.now + ARGV[3]))
return 1
