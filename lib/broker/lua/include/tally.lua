-- For scripts that count many things for many jobs: counts are kept here and booked at the end, one read and one write a hash
-- in place of an increment each. A script that includes this ends with book_tallies().
--@include count
local tallied, tallied_minutes = {}, {}
local function total(field, n) tallied[field] = (tallied[field] or 0) + n end
count = function(field, n)
  total(field, n)
  field = minute .. ':' .. field
  tallied_minutes[field] = (tallied_minutes[field] or 0) + n
end
pending = function(field) return tallied[field] or 0 end
local function book(key, tally)
  local fields, values = {}, {}
  for field in pairs(tally) do fields[#fields + 1] = field end
  if #fields == 0 then return end
  local old = redis.call('HMGET', key, unpack(fields))
  for i = 1, #fields do
    values[2 * i - 1] = fields[i]
    values[2 * i] = string.format('%.0f', (old[i] or 0) + tally[fields[i]])
  end
  redis.call('HSET', key, unpack(values))
end
local function book_tallies()
  book(K_counters, tallied)
  book(K_minutes, tallied_minutes)
end
