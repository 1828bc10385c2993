-- Rows of failure groups, each with its newest dead letter.
-- KEYS: groups deadBy history jobs
-- ARGV: clock, bytes of job rows after which it ends (a longer row is not given), then groups (at most 25)
-- REPLY: per group, for the first of them: its row in `groups` ('' for none), id of the newest ('' when none is dead), when it died, the last line of its history that has an error, its dead letters of the last hour ("<c0>,…,<c11>" by when they died, in steps of five minutes up to now; '' for none), its row ('' when gone or too long)
local clock = require('redis.clock')
local history_log = require('rows.history_log')
local keys = require('keys')
local STEP_MS, STEPS = 300000, 12
local reply, most, bytes = {}, tonumber(ARGV[2]), 0
local function last_hour(stem, diedAt)
  if not diedAt or clock.now - tonumber(diedAt) > STEPS * STEP_MS then return '' end
  local counts = {}
  for step = 1, STEPS do
    local to = clock.now - (STEPS - step) * STEP_MS
    -- A clock may have been ahead: the last step has no end.
    local past = step == STEPS and '(' .. stem .. '}' or string.format('(%s|%013.0f', stem, to)
    counts[step] = redis.call('ZLEXCOUNT', keys.deadBy, string.format('[%s|%013.0f', stem, to - STEP_MS), past)
  end
  return table.concat(counts, ',')
end
for i = 3, #ARGV do
  local stem = 'group=' .. ARGV[i]
  local member = redis.call('ZREVRANGEBYLEX', keys.deadBy, '(' .. stem .. '}', '[' .. stem .. '|', 'LIMIT', 0, 1)[1]
  local diedAt, id = string.match(member or '', '|(%d+)|([^|]+)$')
  local log = id and redis.call('HGET', keys.history, id) or ''
  reply[#reply + 1] = redis.call('HGET', keys.groups, ARGV[i]) or ''
  reply[#reply + 1] = id or ''
  reply[#reply + 1] = diedAt or ''
  reply[#reply + 1] = history_log.last_error(log)
  reply[#reply + 1] = last_hour(stem, diedAt)
  local job = id and redis.call('HGET', keys.jobs, id) or ''
  reply[#reply + 1] = #job <= most and job or ''
  bytes = bytes + #reply[#reply]
  if bytes >= most then break end
end
return reply
