-- The rows of ten minutes become a block, one behind the other: <minute of the block><length><row>. After a day a block becomes one row,
-- counts added up, with the depths at the end and the largest age; those of an hour are one block.
local row_codec = require('history.row_codec')
local function text_of(minute) return string.format('%.0f', math.max(0, minute)) end
local function minute_of(entry) return tonumber(string.match(entry[1], '^%d+')) end
-- Of entries that were removed, too: Redis refuses an id that is not higher.
local function newest(key)
  if redis.call('EXISTS', key) == 0 then return 0 end
  local about = redis.call('XINFO', 'STREAM', key)
  for i = 1, #about, 2 do
    if about[i] == 'last-generated-id' then return minute_of({ about[i + 1] }) end
  end
end
-- Minutes that a clock went back over are not entered twice.
local function add(key, minute, ...)
  if minute > newest(key) then redis.call('XADD', key, text_of(minute) .. '-0', ...) end
end
local function packed(offset, row) return string.char(offset, #row) .. row end
-- The block of the minutes from `start` on, or nil when they have no rows.
local function pack(source, start)
  local entries = redis.call('XRANGE', source, text_of(start), text_of(start + 9))
  if #entries == 0 then return nil end
  local block = {}
  for _, entry in ipairs(entries) do
    local row = entry[2][2]
    if #row < 256 then block[#block + 1] = packed(minute_of(entry) - start, row) end
  end
  return table.concat(block)
end
local function add_up(sum, more)
  for i = 1, #more do sum[i] = (sum[i] or 0) + more[i] end
end
local function sum(block)
  local total, at = { counts = { 0, 0, 0, 0, 0 }, run = {}, wait = {}, age = 0 }, 1
  while at < #block do
    local length = string.byte(block, at + 1) or 0
    local row = row_codec.decode(string.sub(block, at + 2, at + 1 + length))
    if row then
      add_up(total.counts, row.counts)
      add_up(total.run, row.run)
      add_up(total.wait, row.wait)
      total.age = math.max(total.age, row.age)
      if row.most then
        total.least, total.most = math.min(total.least or row.least, row.least), math.max(total.most or 0, row.most)
      end
      total.depths, total.workers = row.depths, row.workers
    end
    at = at + 2 + length
  end
  return row_codec.encode(total)
end
-- Blocks from before the hour of `minute` become rows, one hour a call, and rows from before `oldest` go.
local function expire(source, target, minute, oldest)
  local first = redis.call('XRANGE', source, '-', text_of(minute - minute % 60 - 1), 'COUNT', 1)[1]
  if first then
    local hour, rows = minute_of(first) - minute_of(first) % 60, {}
    for i, block in ipairs(redis.call('XRANGE', source, text_of(hour), text_of(hour + 59))) do
      rows[i] = packed(minute_of(block) - hour, sum(block[2][2]))
    end
    add(target, hour, 'r', table.concat(rows))
    redis.call('XTRIM', source, 'MINID', text_of(hour + 60))
  end
  redis.call('XTRIM', target, 'MINID', text_of(oldest))
end
return { newest = newest, add = add, pack = pack, expire = expire }
