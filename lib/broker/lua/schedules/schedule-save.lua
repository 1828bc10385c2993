-- Writes, changes or deletes a schedule, if its record still is what the writer read.
-- KEYS: schedulesDue schedulesRecords schedulesShares schedulesAudit
-- ARGV: clock, id, the record as it was read ('' for a new one), as it shall be ('' to delete it), when to check it ('+inf': never), a fence to forget ('' or "<id>@<queue>@<generation>") and when; shares of schedules and of fences it takes (see access/shares.lua; '' none); when somebody does this: actor and reason as JSON, action, queue, before, after
-- REPLY: 1 saved, 0 it was changed meanwhile (or exists); or -1, why, ceiling: there are too many
local audit_event = require('audit.audit_event')
local keys = require('keys')
local shares = require('access.shares')
if ARGV[9] then audit_event.open(keys.schedulesAudit) end
local id, before, after, fence = ARGV[2], ARGV[3], ARGV[4], ARGV[6]
if (redis.call('HGET', keys.schedulesRecords, id) or '') ~= before then return 0 end
local asks = {}
for _, ask in ipairs(shares.parse_all(ARGV[8])) do asks[ask.ceiling] = ask end
local known = redis.call('HLEN', keys.schedulesRecords) - redis.call('HEXISTS', keys.schedulesRecords, '.generation')
if before == '' and asks.schedules then
  local why = shares.refusal(keys.schedulesShares, asks.schedules, known)
  if why then return { -1, why, 'schedules' } end
end
-- Fences to forget wait here for a day. A deleted schedule becomes its fence, so only growth is refused.
if after ~= '' and (before == '' or fence ~= '') and asks.fences then
  local why = shares.refusal(keys.schedulesShares, asks.fences, redis.call('ZCARD', keys.schedulesDue) - known)
  if why then return { -1, why, 'fences' } end
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('ZREM', keys.schedulesDue, id)
if after == '' then
  redis.call('HDEL', keys.schedulesRecords, id)
else
  redis.call('HSET', keys.schedulesRecords, id, after)
  redis.call('ZADD', keys.schedulesDue, ARGV[5], id)
  if before == '' and asks.schedules then shares.take(keys.schedulesShares, asks.schedules, id) end
end
if fence ~= '' then redis.call('ZADD', keys.schedulesDue, ARGV[7], fence) end
if after == '' then
  -- Its fence stays its creator's share, even when another user deletes it.
  shares.pass(keys.schedulesShares, 'schedules', id, 'fences', fence)
elseif fence ~= '' and asks.fences then
  shares.take(keys.schedulesShares, asks.fences, fence)
end
if ARGV[9] then
  audit_event.add(keys.schedulesAudit, ARGV[10], ARGV[9], { kind = 'schedule', id = id, queue = ARGV[11], before = ARGV[12], after = ARGV[13] })
end
return 1
