-- How many dead letters one facet holds between two times: two ranks, whatever the size.
-- KEYS: dead deadBy
-- ARGV: clock, facet ("facet=value", '' for all), died since, died until
-- REPLY: count
local since, untilMs = tonumber(ARGV[3]), tonumber(ARGV[4])
if ARGV[2] == '' then return redis.call('ZCOUNT', K_dead, since, untilMs) end
return redis.call('ZLEXCOUNT', K_deadBy, '[' .. ARGV[2] .. '|' .. string.format('%013.0f', since),
  '(' .. ARGV[2] .. '|' .. string.format('%013.0f', untilMs + 1))
