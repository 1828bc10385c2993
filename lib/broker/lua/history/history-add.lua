-- A minute of all queues together. The console that comes first adds it; every ten minutes a block is made, and after a day a row of ten minutes.
-- KEYS: historyMinuteRows historyMinuteBlocks historyTenMinuteRows
-- ARGV: clock, minute, its row (lib/broker/history/row-codec.ts)
-- REPLY: 1 added, 0 it is there already
local keys = require('keys')
local ten_minutes = require('history.ten_minutes')
local DAY, WEEK = 1440, 10080
local minute = tonumber(ARGV[2])
local before = ten_minutes.newest(keys.historyMinuteRows)
-- Of a block the rows are gone.
if minute <= math.max(before, ten_minutes.newest(keys.historyMinuteBlocks) + 9) then return 0 end
ten_minutes.add(keys.historyMinuteRows, minute, 'r', ARGV[3])
-- The ten minutes before are over, also when some of their rows were never made.
for _, start in ipairs({ before - before % 10, minute - minute % 10 }) do
  if start >= 0 and start + 9 <= minute then
    local rows = ten_minutes.pack(keys.historyMinuteRows, start)
    if rows then ten_minutes.add(keys.historyMinuteBlocks, start, 'r', rows) end
    redis.call('XTRIM', keys.historyMinuteRows, 'MINID', string.format('%.0f', start + 10))
  end
end
ten_minutes.expire(keys.historyMinuteBlocks, keys.historyTenMinuteRows, minute - DAY, minute - WEEK)
return 1
