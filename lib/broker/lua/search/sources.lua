-- Where a search finds what it looks at. All sources give entries in the order of the index, by (score, id), so a search may
-- change from one to another between two steps: its cursor means the same to each.
-- A source is a list of parts: `*` is the index itself; `=<id>` one job; `<facet>=<value>` one range of deadBy, and
-- `<facet>^<prefix>` the ranges of all values that begin so. Several ranges are merged; a job that is in two of them comes once.
-- `&<facet>=<value>` behind a range: every match is in that range, too.
local byte_order = require('redis.byte_order')
local keys = require('keys')
local PARTS_MAX = 8
local newest, lowest, highest = ARGV[3] == 'newest', ARGV[4], ARGV[5]
local cursor_score, cursor_id = ARGV[6], ARGV[7]
-- A cursor outside the range: start at the range.
if newest and cursor_score ~= '' and highest ~= '+inf' and tonumber(cursor_score) > tonumber(highest) then cursor_score = '' end
if not newest and cursor_score ~= '' and lowest ~= '-inf' and tonumber(cursor_score) < tonumber(lowest) then cursor_score = '' end
local function digits(ms) return string.format('%013.0f', math.max(0, ms)) end
local function range_of(stem)
  return '[' .. stem .. '|' .. (lowest == '-inf' and '' or digits(lowest)),
    '(' .. stem .. (highest == '+inf' and '}' or '|' .. digits(highest + 1))
end
-- The parts, with prefixes replaced by the values there are; nil when these are too many.
local function expand(parts)
  local found = {}
  for i = 1, #parts do
    local facet, prefix = string.match(parts[i], '^(%a+)%^(.*)$')
    if not facet then
      found[#found + 1] = parts[i]
    else
      local from, upto = '[' .. facet .. '=' .. prefix, '(' .. facet .. '=' .. prefix .. '\255'
      for _ = 1, PARTS_MAX + 1 do
        local member = redis.call('ZRANGE', keys.deadBy, from, upto, 'BYLEX', 'LIMIT', 0, 1)[1]
        if not member then break end
        if #found >= PARTS_MAX then return nil end
        found[#found + 1] = string.match(member, '^([^|]+)|')
        from = '[' .. found[#found] .. '}'
      end
    end
  end
  return found
end
local function kind_of(parts)
  if not parts[1] then return 'none' end
  local first = string.sub(parts[1], 1, 1)
  return first == '*' and 'index' or first == '=' and 'ids' or 'ranges'
end
-- Whether it is one range, by itself or with others that matches are in, too.
local function is_one_range(parts)
  return kind_of(parts) == 'ranges' and (not parts[2] or string.sub(parts[2], 1, 1) == '&')
end
local function size_of_source(parts)
  local kind, size = kind_of(parts), 0
  if kind == 'index' then return redis.call('ZCOUNT', keys.index, lowest, highest) end
  if kind == 'ids' then return #parts end
  for i = 1, #parts do
    local low, high = range_of(parts[i])
    size = size + redis.call('ZLEXCOUNT', keys.deadBy, low, high)
  end
  return size
end
-- Sources as text: with commas between, and spaces between the parts of each.
local function parse(text)
  local choices = {}
  for one in string.gmatch(text .. ',', '([^,]*),') do
    local parts = {}
    for part in string.gmatch(one, '%S+') do parts[#parts + 1] = part end
    choices[#choices + 1] = parts
  end
  return choices
end
-- The smallest of the sources named, and how many entries it holds. The last one named must not be too many to use. With one range come
-- the others that hold few enough of all entries: to ask them for a job costs less than its row.
local function choose(choices)
  local best, smallest, sizes = nil, nil, {}
  for i = 1, #choices do
    local parts = expand(choices[i])
    local size = parts and size_of_source(parts)
    if size and #parts == 1 and kind_of(parts) == 'ranges' then sizes[parts[1]] = size end
    if size and (not smallest or size < smallest) then best, smallest = parts, size end
  end
  if #best == 1 and sizes[best[1]] then
    local few = redis.call('ZCARD', keys.index) / 4
    local found = { best[1] }
    for i = 1, #choices do
      local part = choices[i][1]
      if part ~= best[1] and sizes[part] and sizes[part] < few then found[#found + 1] = '&' .. part end
    end
    best = found
  end
  return best, smallest
end
-- Behind the cursor, or before it for `newest`.
local function is_ahead(score, id)
  if cursor_score == '' then return true end
  local at = tonumber(cursor_score)
  if score ~= at then return (score < at) == newest end
  if id == cursor_id then return false end
  return byte_order.is_before(id, cursor_id) == newest
end
-- Each of these answers ids of the next entries, at most `n`, a function that gives the score of one of them by its number, whether
-- these are the last, and, where others cannot match, the positions of those that may. Most entries do not match: their scores are never made.
local function listed(scores) return function(i) return scores[i] end end
local function from_index(n)
  local bottom = lowest == '-inf' and 0 or redis.call('ZCOUNT', keys.index, '-inf', '(' .. lowest)
  local top = highest == '+inf' and redis.call('ZCARD', keys.index) or redis.call('ZCOUNT', keys.index, '-inf', highest)
  local from, upto
  if newest then
    if cursor_score ~= '' then top = math.min(top, byte_order.rank(keys.index, cursor_score, cursor_id, false)) end
    from, upto = math.max(bottom, top - n), top - 1
  else
    if cursor_score ~= '' then bottom = math.max(bottom, byte_order.rank(keys.index, cursor_score, cursor_id, true)) end
    from, upto = bottom, math.min(top, bottom + n) - 1
  end
  if from > upto then return {}, listed({}), true end
  local entries = redis.call('ZRANGE', keys.index, from, upto, 'WITHSCORES')
  local ids, scores, count = {}, {}, #entries / 2
  for i = 1, count do
    local at = newest and count - i + 1 or i
    ids[i], scores[i] = entries[2 * at - 1], entries[2 * at]
  end
  return ids, listed(scores), newest and from == bottom or not newest and upto == top - 1
end
local function from_ids(parts, n)
  local found, seen = {}, {}
  for i = 1, #parts do
    local id = string.sub(parts[i], 2)
    local score = not seen[id] and redis.call('ZSCORE', keys.index, id)
    seen[id] = true
    local at = tonumber(score or nil)
    if at and (lowest == '-inf' or at >= tonumber(lowest)) and (highest == '+inf' or at <= tonumber(highest)) and is_ahead(at, id) then
      found[#found + 1] = { id, score, at }
    end
  end
  table.sort(found, function(a, b)
    if a[3] ~= b[3] then return (a[3] > b[3]) == newest end
    return a[1] ~= b[1] and byte_order.is_before(b[1], a[1]) == newest
  end)
  local ids, scores = {}, {}
  for i = 1, math.min(n, #found) do ids[i], scores[i] = found[i][1], found[i][2] end
  return ids, listed(scores), #found <= n
end
-- The part of a range of deadBy behind the cursor.
local function rest_of(stem)
  local low, high = range_of(stem)
  if cursor_score ~= '' then
    local edge = '(' .. stem .. '|' .. digits(cursor_score) .. '|' .. cursor_id
    if newest then high = edge else low = edge end
  end
  return low, high
end
local function members_in(low, high, n)
  return newest and redis.call('ZREVRANGEBYLEX', keys.deadBy, high, low, 'LIMIT', 0, n)
    or redis.call('ZRANGEBYLEX', keys.deadBy, low, high, 'LIMIT', 0, n)
end
-- A score as its index has it: without the zeros before it.
local function plain(score)
  return string.byte(score) == 48 and string.format('%.0f', score) or score
end
-- The positions of the first `n` members of a range that are in the other ranges, too.
local function in_all(parts, members, n)
  local from, left = #parts[1] + 1, {}
  for i = 1, n do left[i] = i end
  for k = 2, #parts do
    local stem, asked, still = string.sub(parts[k], 2), {}, {}
    for i = 1, #left do asked[i] = stem .. string.sub(members[left[i]], from) end
    local scores = #asked > 0 and redis.call('ZMSCORE', keys.deadBy, unpack(asked)) or {}
    for i = 1, #left do
      if scores[i] then still[#still + 1] = left[i] end
    end
    left = still
  end
  return left
end
-- One range has nothing to be merged with.
local function from_range(parts, n)
  local stem = parts[1]
  local low, high = rest_of(stem)
  local members, sub = members_in(low, high, n + 1), string.sub
  local ids, score_from, score_to, id_from = {}, #stem + 2, #stem + 14, #stem + 16
  for i = 1, math.min(n, #members) do ids[i] = sub(members[i], id_from) end
  return ids, function(i) return plain(sub(members[i], score_from, score_to)) end, #members <= n,
    parts[2] and in_all(parts, members, #ids)
end
-- An iterator over the dead jobs of one index prefix (`stem`), in the order of the search; reads `each` entries at a time.
local function open_range(stem, each)
  local low, high = rest_of(stem)
  local range = { at = 0, ended = false, members = {} }
  function range.next()
    if range.at >= #range.members then
      if range.ended then
        range.id = nil
        return
      end
      range.members = members_in(low, high, each)
      range.at, range.ended = 0, #range.members < each
      local last = range.members[#range.members]
      if newest then high = '(' .. (last or '') else low = '(' .. (last or '') end
      if not last then
        range.id = nil
        return
      end
    end
    range.at = range.at + 1
    local member = range.members[range.at]
    range.id = string.sub(member, #stem + 16)
    range.score = string.sub(member, #stem + 2, #stem + 14)
  end
  range.next()
  return range
end
-- Which of two entries comes first: 0 when they are the same job.
local function order_of(a, b)
  if a.score ~= b.score then return (tonumber(a.score) > tonumber(b.score)) == newest and -1 or 1 end
  if a.id == b.id then return 0 end
  return byte_order.is_before(b.id, a.id) == newest and -1 or 1
end
local function from_ranges(parts, n)
  local ranges = {}
  for i = 1, #parts do
    local range = open_range(parts[i], math.ceil(n / #parts) + 8)
    if range.id then ranges[#ranges + 1] = range end
  end
  local ids, scores = {}, {}
  for _ = 1, n do
    local first = ranges[1]
    if not first then break end
    for i = 2, #ranges do
      if order_of(ranges[i], first) < 0 then first = ranges[i] end
    end
    local id, score = first.id, first.score
    ids[#ids + 1] = id
    scores[#scores + 1] = plain(score)
    for i = #ranges, 1, -1 do
      if ranges[i].id == id and ranges[i].score == score then ranges[i].next() end
      if not ranges[i].id then table.remove(ranges, i) end
    end
  end
  return ids, listed(scores), #ranges == 0
end
local function next(parts, n)
  local kind = kind_of(parts)
  if kind == 'index' then return from_index(n) end
  if kind == 'ids' then return from_ids(parts, n) end
  if is_one_range(parts) then return from_range(parts, n) end
  return from_ranges(parts, n)
end
-- The next entries are those behind this one.
local function go_on(score, id)
  cursor_score, cursor_id = score, id
end
return { parse = parse, expand = expand, choose = choose, is_one_range = is_one_range, next = next, go_on = go_on }
