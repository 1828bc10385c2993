-- Keeps a one-time code, as a digest, until it is used or runs out.
-- KEYS: accessLinks
-- ARGV: clock, digest, how long in ms, most codes
-- REPLY: 1
--@include now
redis.call('HDEL', K_accessLinks, ARGV[2])
local some, soonest, at = redis.call('HRANDFIELD', K_accessLinks, 100, 'WITHVALUES'), nil, nil
for i = 1, #some, 2 do
  local over = tonumber(some[i + 1]) or 0
  if over <= now then redis.call('HDEL', K_accessLinks, some[i])
  elseif not at or over < at then soonest, at = some[i], over end
end
if soonest and redis.call('HLEN', K_accessLinks) >= tonumber(ARGV[4]) then redis.call('HDEL', K_accessLinks, soonest) end
redis.call('HSET', K_accessLinks, ARGV[2], string.format('%.0f', now + ARGV[3]))
return 1
