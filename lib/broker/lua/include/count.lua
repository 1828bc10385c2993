-- Totals for the ledger, and the same per minute for rates. Both in the script that moves the job.
--@include now
local minute = math.floor(now / 60000)
local function count(field, n)
  redis.call('HINCRBY', K_counters, field, n)
  redis.call('HINCRBY', K_minutes, minute .. ':' .. field, n)
end
-- What is counted but not booked yet; see tally.lua.
local function pending(_) return 0 end
