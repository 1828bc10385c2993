-- A row of the history: 16 bits that say what follows, then varints. Bit 0: the depths are known; 1–6: depths other than 0 (ready, in flight,
-- scheduled, retry, held, dead); 7: age of the oldest ready job; 8–12: arrivals, completed, failed, lost, died; 13, 14: run and wait times,
-- first bucket and how many, four bits each; 15: live workers. Behind run times may follow, at the end, the shortest and the longest of them. Ages, these and histograms are rounded to 7 %: a byte each. lib/broker/history/row-codec.ts reads and writes the same.
local BUCKETS, OUTWARDS = 14, 1.07
local function varint(n)
  local bytes = {}
  while n >= 128 do
    bytes[#bytes + 1] = string.char(128 + n % 128)
    n = math.floor(n / 128)
  end
  return table.concat(bytes) .. string.char(n)
end
-- 0–7 as they are; above, three bits and an exponent.
local function round_to_byte(n)
  if n < 8 then return math.floor(n) end
  local _, exponent = math.frexp(n)
  local shift = exponent - 4
  local steps = math.floor(n / 2 ^ shift + 0.5)
  return math.min(255, 8 * shift + steps)
end
local function round_to_text(n) return string.char(round_to_byte(n)) end
local function of_byte(byte)
  if byte < 16 then return byte end
  local shift = math.floor(byte / 8) - 1
  return (byte - 8 * shift) * 2 ^ shift
end
-- `row`: depths (six, or nil: unknown), age, counts (five), run and wait (14 each, or nil), workers (nil: unknown), least and most: the
-- shortest and longest run (nil: unknown).
local function encode(row)
  local bits, parts = 0, {}
  local function put(bit_at, n, text)
    if n == 0 then return end
    bits = bits + 2 ^ bit_at
    parts[#parts + 1] = text or varint(n)
  end
  if row.depths then
    bits = 1
    for i = 1, 6 do put(i, row.depths[i]) end
    local age = round_to_byte(row.age or 0)
    put(7, age, string.char(age))
  end
  for i = 1, 5 do put(7 + i, row.counts[i]) end
  for i, histogram in ipairs({ row.run or {}, row.wait or {} }) do
    local first, upto, counts = nil, 0, {}
    for bucket = 1, BUCKETS do
      if (histogram[bucket] or 0) > 0 then first, upto = first or bucket, bucket end
    end
    for bucket = first or 1, upto do counts[#counts + 1] = round_to_text(histogram[bucket] or 0) end
    if first then put(12 + i, 1, string.char(16 * (first - 1) + #counts) .. table.concat(counts)) end
  end
  if row.workers then put(15, 1, varint(row.workers)) end
  -- Rounded outwards: a bound inside of the bucket that it ends must stay there.
  if row.most then parts[#parts + 1] = round_to_text(row.least / OUTWARDS) .. round_to_text(row.most * OUTWARDS) end
  return string.char(bits % 256, math.floor(bits / 256)) .. table.concat(parts)
end
-- Nil: not ours.
local function decode(text)
  if #text < 2 then return nil end
  local at = 3
  local bits = string.byte(text, 1) + 256 * string.byte(text, 2)
  local function has(bit_at) return math.floor(bits / 2 ^ bit_at) % 2 == 1 end
  local function byte()
    at = at + 1
    return string.byte(text, at - 1) or 0
  end
  local function number()
    local n, factor = 0, 1
    while true do
      local b = byte()
      n = n + b % 128 * factor
      if b < 128 then return n end
      factor = factor * 128
    end
  end
  local row = { counts = {}, age = 0 }
  if has(0) then
    row.depths = {}
    for i = 1, 6 do row.depths[i] = has(i) and number() or 0 end
    row.age = has(7) and of_byte(byte()) or 0
  end
  for i = 1, 5 do row.counts[i] = has(7 + i) and number() or 0 end
  for i, name in ipairs({ 'run', 'wait' }) do
    local histogram, range = {}, has(12 + i) and byte() or 0
    local first = math.floor(range / 16)
    for bucket = 1, BUCKETS do
      histogram[bucket] = bucket > first and bucket <= first + range % 16 and of_byte(byte()) or 0
    end
    row[name] = histogram
  end
  if has(15) then row.workers = number() end
  if at < #text then row.least, row.most = of_byte(byte()), of_byte(byte()) end
  return row
end
return { encode = encode, decode = decode, round = round_to_text }
