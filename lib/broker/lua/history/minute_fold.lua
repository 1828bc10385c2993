-- Once a minute a queue: what happened in each whole minute becomes a row of its history, exactly once with any number of callers. Depths
-- are known for the last minute only; those before, when maintenance is late, have counts alone. A minute in which nothing happened has no
-- row: the depths are those of the row before.
-- `fold` in limits: "<last minute done> <newest event then> <1: nothing new since> <its depths>".
local busiest = require('history.busiest')
local duration_buckets = require('queues.duration_buckets')
local keys = require('keys')
local queue = require('queue')
local row_codec = require('history.row_codec')
local ten_minutes = require('history.ten_minutes')
local MINUTES_A_CALL, DAY, WEEK = 20, 1440, 10080
-- Percentiles of the last five minutes are read from `minutes`.
local DETAILS_KEPT = 6
-- Run times that are read to tell how far the first and last bucket of a minute reach: 99 % of its runs are between the two of them.
local SAMPLED, AT_ONCE = 100, 10
local COUNTS = { 'enqueued', 'completed', 'failed', 'reclaimed', 'dead' }
local DETAILS = { 'claimed', 'released', 'redriven', 'deleted' }
local function histogram_of(values, from, total)
  local histogram, counted = { 0 }, 0
  for i = 1, 13 do
    histogram[i + 1] = tonumber(values[from + i - 1] or 0)
    counted = counted + histogram[i + 1]
  end
  histogram[1] = math.max(0, total - counted)
  return histogram
end
local function fields_of(minute, lists, uptos)
  local fields, start = {}, string.format('%.0f:', minute)
  for _, names in ipairs(lists) do
    for _, name in ipairs(names) do fields[#fields + 1] = start .. name end
  end
  for _, kind in ipairs({ 'run:', 'wait:' }) do
    for _, upto in ipairs(uptos) do fields[#fields + 1] = start .. kind .. upto end
  end
  fields[#fields + 1] = start .. 'run:span'
  return fields
end
-- The shortest and the longest run, in ms, of the completed jobs that Redis still has since the minute began. Nil: of none.
local function run_span(minute)
  local kept = redis.call('ZREVRANGEBYSCORE', keys.completed, '+inf', string.format('%.0f', minute * 60000), 'WITHSCORES', 'LIMIT', 0, 2 * SAMPLED)
  local ids, ends, least, most = {}, {}, nil, nil
  -- Every second one: jobs of one claim end together.
  for i = 1, #kept, 4 do ids[#ids + 1], ends[#ends + 1] = kept[i], kept[i + 1] end
  for first = 1, #ids, AT_ONCE do
    local rows = redis.call('HMGET', keys.results, unpack(ids, first, math.min(first + AT_ONCE - 1, #ids)))
    for i = 1, #rows do
      local claimedAt = rows[i] and string.match(rows[i], '^%S+ %S+ (%d+) ')
      if claimedAt then
        local took = math.max(0, ends[first + i - 1] - claimedAt)
        least, most = math.min(least or took, took), math.max(most or took, took)
      end
    end
  end
  return least, most
end
-- Nil: nothing happened.
local function read_minute(minute, uptos)
  local values = redis.call('HMGET', keys.minutes, unpack(fields_of(minute, { COUNTS, { 'claimed' } }, uptos)))
  local row, has = { counts = {} }, false
  for i = 1, 5 do
    row.counts[i] = math.max(0, tonumber(values[i] or 0))
    has = has or row.counts[i] > 0
  end
  local claimed = tonumber(values[6] or 0)
  if not has and claimed == 0 then return nil end
  row.run, row.wait = histogram_of(values, 7, row.counts[2]), histogram_of(values, 20, claimed)
  return row
end
-- Minutes with counts after `folded`, oldest first, and the last one. Counts stay for three hours.
local function minutes_to_fold(folded, last)
  local first, fields, minutes = math.max(folded + 1, last - 179), {}, {}
  for minute = first, last - 1 do
    for _, name in ipairs(COUNTS) do fields[#fields + 1] = minute .. ':' .. name end
    fields[#fields + 1] = minute .. ':claimed'
  end
  local values, each = #fields > 0 and redis.call('HMGET', keys.minutes, unpack(fields)) or {}, #COUNTS + 1
  for minute = first, last - 1 do
    for i = 1, each do
      if values[(minute - first) * each + i] then
        minutes[#minutes + 1] = minute
        break
      end
    end
  end
  minutes[#minutes + 1] = last
  return minutes
end
local function read_depths()
  local since = tonumber(redis.call('ZRANGE', keys.waiting, 0, 0, 'WITHSCORES')[2])
  return {
    redis.call('ZCARD', keys.ready), redis.call('ZCARD', keys.inflight), redis.call('ZCARD', keys.scheduled),
    redis.call('ZCARD', keys.retry), redis.call('ZCARD', keys.held), redis.call('ZCARD', keys.dead),
  }, since and math.max(0, queue.now - since) or 0
end
-- Returns whether minutes are left for another call.
local function fold()
  local last = queue.minute - 1
  local folded, seen, _, depths = string.match(redis.call('HGET', keys.limits, 'fold') or '', '^(%d+) (%S+) (%d) (%S+)$')
  folded = tonumber(folded or 0)
  if folded > last + 180 then
    -- The clock was far ahead: rows of a time to come would refuse all others until then.
    redis.call('UNLINK', keys.minuteRows, keys.minuteBlocks, keys.tenMinuteRows)
    folded = 0
  end
  if folded >= last then return false end
  local newest = (redis.call('XREVRANGE', keys.events, '+', '-', 'COUNT', 1)[1] or { '-' })[1]
  local minutes, uptos, blocks = minutes_to_fold(folded, last), duration_buckets.counted(), { math.floor(folded / 10) }
  local upto = minutes[math.min(#minutes, MINUTES_A_CALL)]
  for i = 1, math.min(#minutes, MINUTES_A_CALL) do
    local minute = minutes[i]
    local row, text = read_minute(minute, uptos), '-'
    if minute == last then
      local now, age = read_depths()
      text = table.concat(now, ',')
      if row or text ~= depths then
        row = row or { counts = { 0, 0, 0, 0, 0 } }
        row.depths, row.age = now, age
        if row.counts[2] > 0 then row.least, row.most = run_span(minute) end
        if row.most then redis.call('HSET', keys.minutes, string.format('%.0f:run:span', minute), row.least .. ' ' .. row.most) end
      end
    end
    if row then
      depths = text
      ten_minutes.add(keys.minuteRows, minute, 'r', row_codec.encode(row))
      if blocks[#blocks] ~= math.floor(minute / 10) then blocks[#blocks + 1] = math.floor(minute / 10) end
    end
    redis.call('HDEL', keys.minutes, unpack(fields_of(minute - DETAILS_KEPT, { DETAILS }, uptos)))
  end
  for _, block in ipairs(blocks) do
    if block * 10 + 9 <= upto then
      local rows = ten_minutes.pack(keys.minuteRows, block * 10)
      if rows then ten_minutes.add(keys.minuteBlocks, block * 10, 'r', rows, 'b', busiest.take()) end
      redis.call('XTRIM', keys.minuteRows, 'MINID', string.format('%.0f', block * 10 + 10))
    end
  end
  ten_minutes.expire(keys.minuteBlocks, keys.tenMinuteRows, upto - DAY, upto - WEEK)
  local isOpen = upto % 10 < 9 and ten_minutes.newest(keys.minuteRows) >= upto - upto % 10
  redis.call('HSET', keys.limits, 'fold', string.format('%.0f %s %d %s', upto, newest, newest == seen and not isOpen and 1 or 0, depths or '-'))
  return upto < last
end
return { fold = fold }
