-- Which of several shards have a whole minute that is not in their history. Writes nothing.
-- KEYS: limits events
-- ARGV: clock careful
-- REPLY: the numbers of these shards, from 0
-- The keys of the first shard; the keys of the others follow in the same order.
local clock = require('redis.clock')
local keys = require('keys')
local last, due, width = math.floor(clock.now / 60000) - 1, {}, #{ keys.limits, keys.events }
-- A key of another type must not hide the other shards; asked for only where a look without it failed. Maintenance reports the fault.
local function is_type(key, kind)
  if ARGV[2] ~= '1' then return true end
  local found = redis.call('TYPE', key).ok
  return found == kind or found == 'none'
end
for at = 1, #KEYS, width do
  local isSound = is_type(KEYS[at], 'hash') and is_type(KEYS[at + 1], 'stream')
  local folded, newest, isQuiet = string.match(isSound and redis.call('HGET', KEYS[at], 'fold') or '', '^(%d+) (%S+) (%d)')
  if isSound and tonumber(folded or 0) ~= last then
    -- Every change of a queue has an event.
    local event = redis.call('XREVRANGE', KEYS[at + 1], '+', '-', 'COUNT', 1)[1]
    if event and (isQuiet ~= '1' or event[1] ~= newest) then due[#due + 1] = (at - 1) / width end
  end
end
return due
