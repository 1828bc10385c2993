-- driven: id -> "<operation>[ <its row of deaths>]", for jobs that an operation put back and that have not ended since; the second
-- part is what a recall needs to make them as dead as they were. Whatever ends one takes it from here and counts it in `operations`, field "<operation> outcome" = "<completed> <died again> <recalled> <deleted>[ <group>=<n>…]":
-- the groups of those that died again, at most 20 by name, the rest as "other". An operation that is not in `operations` any
-- more is not counted.
-- Counts are booked at the end.
local clock = require('redis.clock')
local keys = require('keys')
local OUTCOMES = { completed = 1, diedAgain = 2, recalled = 3, deleted = 4 }
local any_driven, settled = nil, {}
-- At most 500 at a time. `rows`: of deaths, one for each.
local function add(ids, op, rows)
  local flat = {}
  for i = 1, #ids do
    flat[2 * i - 1] = ids[i]
    flat[2 * i] = rows and rows[i] and op .. ' ' .. rows[i] or op
  end
  if #flat > 0 then redis.call('HSET', keys.redriven, unpack(flat)) end
  any_driven = true
end
local function count(op, what, group)
  local tally = settled[op] or { 0, 0, 0, 0, groups = {} }
  settled[op] = tally
  tally[OUTCOMES[what]] = tally[OUTCOMES[what]] + 1
  if group then tally.groups[group] = (tally.groups[group] or 0) + 1 end
end
-- Of jobs that operations put back, with these.
local function settle_all(ids, ops, what)
  redis.call('HDEL', keys.redriven, unpack(ids))
  for i = 1, #ids do count(ops[i], what) end
end
-- Answers the operation, or nil when none had put it back.
local function settle(id, what, group)
  if any_driven == nil then any_driven = redis.call('EXISTS', keys.redriven) == 1 end
  local op = any_driven and string.match(redis.call('HGET', keys.redriven, id) or '', '^%S+')
  if not op then return nil end
  redis.call('HDEL', keys.redriven, id)
  count(op, what, group)
  return op
end
local function commit()
  for op, tally in pairs(settled) do
    if redis.call('HEXISTS', keys.operations, op) == 1 then
      local row = redis.call('HGET', keys.operations, op .. ' outcome') or ''
      local a, b, c, d, rest = string.match(row, '^(%d+) (%d+) (%d+) (%d+)(.*)$')
      local names, counts = {}, {}
      local function add_group(group, n)
        if not counts[group] and #names >= 20 then group = 'other' end
        if not counts[group] then names[#names + 1] = group end
        counts[group] = (counts[group] or 0) + n
      end
      for group, n in string.gmatch(rest or '', ' (%S+)=(%d+)') do add_group(group, tonumber(n)) end
      for group, n in pairs(tally.groups) do add_group(group, n) end
      local parts = { string.format('%.0f %.0f %.0f %.0f', (a or 0) + tally[1], (b or 0) + tally[2], (c or 0) + tally[3], (d or 0) + tally[4]) }
      for i = 1, #names do parts[#parts + 1] = names[i] .. '=' .. string.format('%.0f', counts[names[i]]) end
      redis.call('HSET', keys.operations, op .. ' outcome', table.concat(parts, ' '))
    end
  end
  settled = {}
end
-- Jobs that were completed after an operation had put them back. outcomes: "<operation>|<id>" by when; the newest 10,000, so
-- that they can be looked at.
local function complete(ids)
  local done = {}
  for i = 1, #ids do
    local op = settle(ids[i], 'completed')
    if op and redis.call('HEXISTS', keys.operations, op) == 1 then
      done[#done + 1] = string.format('%.0f', clock.now)
      done[#done + 1] = op .. '|' .. ids[i]
    end
  end
  if #done > 0 then
    redis.call('ZADD', keys.outcomes, unpack(done))
    redis.call('ZREMRANGEBYRANK', keys.outcomes, 0, -10001)
  end
end
return { add = add, settle = settle, settle_all = settle_all, commit = commit, complete = complete }
