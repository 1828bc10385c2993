-- For scripts that count many things for many jobs: counts are kept here and booked at the end, one increment a field however
-- many jobs. A script that includes this ends with book_tallies().
--@include count
local tallied, tallied_minutes = {}, {}
local function total(field, n) tallied[field] = (tallied[field] or 0) + n end
count = function(field, n)
  total(field, n)
  field = minute .. ':' .. field
  tallied_minutes[field] = (tallied_minutes[field] or 0) + n
end
pending = function(field) return tallied[field] or 0 end
local function book_tallies()
  for field, n in pairs(tallied) do redis.call('HINCRBY', K_counters, field, n) end
  for field, n in pairs(tallied_minutes) do redis.call('HINCRBY', K_minutes, field, n) end
end
