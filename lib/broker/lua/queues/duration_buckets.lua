-- Histograms of run and wait times: `<kind>:<up to ms>`. Durations of at most 5 ms are what the total leaves: most are, and need not
-- be counted twice.
local function counted()
  return { '10', '25', '50', '100', '250', '500', '1000', '2500', '5000', '10000', '30000', '60000', 'inf' }
end
-- Nil: not counted.
local function bucket_of(kind, tookMs)
  if tookMs <= 5 then return nil end
  for _, upto in ipairs(counted()) do
    if upto == 'inf' or tookMs <= tonumber(upto) then return kind .. upto end
  end
end
return { counted = counted, bucket_of = bucket_of }
