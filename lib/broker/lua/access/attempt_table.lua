-- Attempts and events, counted by who makes them, for a period from the first on. A row: end of the period and their number.
local clock = require('redis.clock')
local function read(key, who)
  local ends, count = string.match(redis.call('HGET', key, who) or '', '^(%d+) (%d+)$')
  return tonumber(ends), tonumber(count)
end
-- The present period: its end, and the number so far.
local function present(key, who, period)
  local ends, count = read(key, who)
  if not ends or ends <= clock.now then return clock.now + period, 0 end
  return ends, count
end
-- Of some rows, ended ones go. Without room, the row with the fewest attempts goes, the one that ends first among equals: an attacker who
-- makes new rows pushes out new rows, not rows with many attempts.
local function make_room(key, most)
  local some, gone, least, at, low = redis.call('HRANDFIELD', key, 20, 'WITHVALUES'), false, nil, nil, nil
  for i = 1, #some, 2 do
    local over, counted = string.match(some[i + 1], '^(%d+) (%d+)$')
    over, counted = tonumber(over) or 0, tonumber(counted) or 0
    if over <= clock.now then
      redis.call('HDEL', key, some[i])
      gone = true
    elseif not least or counted < low or (counted == low and over < at) then least, at, low = some[i], over, counted end
  end
  if least and not gone and redis.call('HLEN', key) >= tonumber(most) then redis.call('HDEL', key, least) end
end
-- A removal first, so that this works when memory is full (ADR 11).
local function write(key, who, ends, count, most)
  redis.call('HDEL', key, who)
  make_room(key, most)
  redis.call('HSET', key, who, string.format('%.0f %.0f', ends, count))
end
-- `period`: only of the period that ends then; nil: whichever it is. Returns how many still count.
local function give_back(key, who, count, period)
  local ends, had = read(key, who)
  if not ends or (period and period ~= ends) then return had or 0 end
  redis.call('HDEL', key, who)
  if had > count then redis.call('HSET', key, who, string.format('%.0f %.0f', ends, had - count)) end
  return math.max(0, had - count)
end
return { present = present, write = write, give_back = give_back }
