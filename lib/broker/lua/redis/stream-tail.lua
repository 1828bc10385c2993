-- The newest entries of a stream that a producer's or worker's Redis user can write without Redrive. Reads one entry at a time, and ends
-- where the entries become too large.
-- KEYS: index
-- ARGV: clock, highest id, lowest id, entries at most (1..1300), bytes at most
-- REPLY: entries (id, fields), the newest first; an entry that is too large alone has no fields
local keys = require('keys')
local entries, left, upto = {}, tonumber(ARGV[5]), ARGV[2]
for _ = 1, tonumber(ARGV[4]) do
  local entry = redis.call('XREVRANGE', keys.index, upto, ARGV[3], 'COUNT', 1)[1]
  if not entry then break end
  local bytes = #entry[2] * 16
  for i = 1, #entry[2] do bytes = bytes + #entry[2][i] end
  if bytes > left then
    entries[#entries + 1] = { entry[1], {} }
    break
  end
  entries[#entries + 1] = entry
  left, upto = left - bytes, '(' .. entry[1]
end
return entries
