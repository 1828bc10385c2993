-- The values of each facet with their counts. Jumps from value to value, so it costs the number of values, not of jobs.
-- KEYS: deadBy
-- ARGV: clock, most values a facet, then facet names
-- REPLY: facet, value, count, …
local reply = {}
for f = 3, #ARGV do
  local facet = ARGV[f]
  local from, left = '[' .. facet .. '=', tonumber(ARGV[2])
  while left > 0 do
    local member = redis.call('ZRANGE', K_deadBy, from, '(' .. facet .. '>', 'BYLEX', 'LIMIT', 0, 1)[1]
    if not member then break end
    local value = string.match(member, '=([^|]+)|')
    local stem = facet .. '=' .. value
    reply[#reply + 1] = facet
    reply[#reply + 1] = value
    reply[#reply + 1] = redis.call('ZLEXCOUNT', K_deadBy, '[' .. stem .. '|', '(' .. stem .. '}')
    from = '[' .. stem .. '}'
    left = left - 1
  end
end
return reply
