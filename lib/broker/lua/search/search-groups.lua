-- Rows of failure groups, each with its newest dead letter.
-- KEYS: groups deadBy
-- ARGV: clock, groups (at most 50)
-- REPLY: per group: its row in `groups` ('' for none), id of the newest ('' when none is dead), when it died, its dead letters of the last hour ("<c0>,…,<c11>" by when they died, in steps of five minutes up to now; '' for none)
local clock = require('redis.clock')
local keys = require('keys')
local STEP_MS, STEPS = 300000, 12
local from = clock.now - STEPS * STEP_MS
local function count_each(newest)
  local counts = {}
  for step = 1, STEPS do counts[step] = 0 end
  for i = 1, #newest do
    local diedAt = tonumber(string.match(newest[i], '|(%d+)|'))
    -- A clock may have been ahead: the last step has no end.
    local step = math.min(STEPS, math.floor((diedAt - from) / STEP_MS) + 1)
    if step >= 1 then counts[step] = counts[step] + 1 end
  end
  return counts
end
local function count_steps(stem)
  local counts = {}
  for step = 1, STEPS do
    local to = from + step * STEP_MS
    local past = step == STEPS and '(' .. stem .. '}' or string.format('(%s|%013.0f', stem, to)
    counts[step] = redis.call('ZLEXCOUNT', keys.deadBy, string.format('[%s|%013.0f', stem, to - STEP_MS), past)
  end
  return counts
end
local reply, rows = {}, redis.call('HMGET', keys.groups, unpack(ARGV, 2))
for i = 2, #ARGV do
  local stem = 'group=' .. ARGV[i]
  -- Most groups of a queue have few dead letters: to read them takes one call, to count each step twelve.
  local newest = redis.call('ZREVRANGEBYLEX', keys.deadBy, '(' .. stem .. '}', '[' .. stem .. '|', 'LIMIT', 0, STEPS + 1)
  local diedAt, id = string.match(newest[1] or '', '|(%d+)|([^|]+)$')
  local counts = {}
  if diedAt and tonumber(diedAt) >= from then counts = #newest <= STEPS and count_each(newest) or count_steps(stem) end
  local n = #reply
  reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4] = rows[i - 1] or '', id or '', diedAt or '', table.concat(counts, ',')
end
return reply
