-- Histograms of run and wait times: `<kind>:<up to ms>`. Durations of at most 5 ms are what the total leaves: most are, and need not
-- be counted twice.
local function counted()
  return { '10', '25', '50', '100', '250', '500', '1000', '2500', '5000', '10000', '30000', '60000', 'inf' }
end
-- Nil: not counted. Written out: every claim and ack asks, and a loop over the names makes a number of each.
local function bucket_of(kind, ms)
  if ms <= 5 then return nil end
  if ms <= 100 then return kind .. (ms <= 10 and '10' or ms <= 25 and '25' or ms <= 50 and '50' or '100') end
  if ms <= 1000 then return kind .. (ms <= 250 and '250' or ms <= 500 and '500' or '1000') end
  if ms <= 10000 then return kind .. (ms <= 2500 and '2500' or ms <= 5000 and '5000' or '10000') end
  return kind .. (ms <= 30000 and '30000' or ms <= 60000 and '60000' or 'inf')
end
return { counted = counted, bucket_of = bucket_of }
