-- Totals for the ledger, and the same per minute for rates, in the script that moves the job: one increment a field, however
-- many jobs.
local clock = require('redis.clock')
local keys = require('keys')
local minute = math.floor(clock.now / 60000)
local totals, minutes = {}, {}
local function total(field, n)
  totals[field] = (totals[field] or 0) + n
end
local function count(field, n)
  totals[field] = (totals[field] or 0) + n
  minutes[field] = (minutes[field] or 0) + n
end
-- Counted and not yet written.
local function pending(field)
  return totals[field] or 0
end
local function commit()
  -- Redis formats a number of Lua's far slower than it takes a text.
  local start
  for field, n in pairs(totals) do redis.call('HINCRBY', keys.counters, field, n == 1 and '1' or n) end
  for field, n in pairs(minutes) do
    start = start or minute .. ':'
    redis.call('HINCRBY', keys.minutes, start .. field, n == 1 and '1' or n)
  end
end
return { minute = minute, total = total, count = count, pending = pending, commit = commit }
