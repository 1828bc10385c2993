-- Walks one facet of the dead-letter index from the newest, checking the other facets by probing the index, so that no
-- payload is read. Bounded by `candidates`; returns where to go on.
-- KEYS: deadBy
-- ARGV: clock, driver ("facet=value"), died since, died until, cursor member ('' at the start), candidates (1..1000), want (0: count only), then other facets
-- REPLY: cursor ('' at the end), scanned, matched, then id and time of death per wanted match
local driver, since, untilMs, cursor = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local candidates, want = tonumber(ARGV[6]), tonumber(ARGV[7])
local top = cursor ~= '' and '(' .. cursor or '(' .. driver .. '|' .. string.format('%013.0f', untilMs + 1)
local bottom = '[' .. driver .. '|' .. string.format('%013.0f', tonumber(since))
local members = redis.call('ZREVRANGEBYLEX', K_deadBy, top, bottom, 'LIMIT', 0, candidates)
local reply, matched, scanned, last = { '', 0, 0 }, 0, 0, ''
for i = 1, #members do
  local tail = string.sub(members[i], #driver + 1)
  local fits = true
  for f = 8, #ARGV do
    if fits and not redis.call('ZSCORE', K_deadBy, ARGV[f] .. tail) then fits = false end
  end
  scanned = scanned + 1
  last = members[i]
  if fits then
    matched = matched + 1
    if want > 0 then
      local diedAt, id = string.match(tail, '^|(%d+)|([^|]+)$')
      reply[#reply + 1] = id
      reply[#reply + 1] = diedAt
      if matched == want then break end
    end
  end
end
if scanned < #members or #members == candidates then reply[1] = last end
reply[2] = scanned
reply[3] = matched
return reply
