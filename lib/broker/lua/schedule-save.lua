-- Writes, changes or deletes a schedule, if its record still is what the writer read.
-- KEYS: schedulesDue schedulesRecords schedulesShares schedulesAudit
-- ARGV: clock, id, the record as it was read ('' for a new one), as it shall be ('' to delete it), when to look at it ('+inf': not by itself), a fence to forget ('' or "<id>@<queue>@<generation>") and when; whose shares of schedules and of fences it takes (see include/shares; '' none); when somebody does this: json (who and why), action, queue, before, after
-- REPLY: 1 saved, 0 it was changed meanwhile (or exists); or -1, why, ceiling: there are too many
--@include audit
--@include shares
if ARGV[9] then audit_opens(K_schedulesAudit) end
local id, before, after, fence = ARGV[2], ARGV[3], ARGV[4], ARGV[6]
if (redis.call('HGET', K_schedulesRecords, id) or '') ~= before then return 0 end
local asks = {}
for _, ask in ipairs(share_asks(ARGV[8])) do asks[ask.ceiling] = ask end
local known = redis.call('HLEN', K_schedulesRecords) - redis.call('HEXISTS', K_schedulesRecords, '.generation')
if before == '' and asks.schedules then
  local why = share_refused(K_schedulesShares, asks.schedules, known)
  if why then return { -1, why, 'schedules' } end
end
-- Fences to forget wait here for a day. Deleting a schedule turns its place into that of its fence, so only growth is stopped.
if after ~= '' and (before == '' or fence ~= '') and asks.fences then
  local why = share_refused(K_schedulesShares, asks.fences, redis.call('ZCARD', K_schedulesDue) - known)
  if why then return { -1, why, 'fences' } end
end
-- A removal comes first, even of nothing: pausing must work just when memory is full.
redis.call('ZREM', K_schedulesDue, id)
if after == '' then
  redis.call('HDEL', K_schedulesRecords, id)
else
  redis.call('HSET', K_schedulesRecords, id, after)
  redis.call('ZADD', K_schedulesDue, ARGV[5], id)
  if before == '' and asks.schedules then share_take(K_schedulesShares, asks.schedules, id) end
end
if fence ~= '' then redis.call('ZADD', K_schedulesDue, ARGV[7], fence) end
if after == '' then
  -- Whoever made it answers for what is left of it, whoever deletes it.
  share_pass(K_schedulesShares, 'schedules', id, 'fences', fence)
elseif fence ~= '' and asks.fences then
  share_take(K_schedulesShares, asks.fences, fence)
end
if ARGV[9] then
  audit(K_schedulesAudit, ARGV[10], ARGV[9], { kind = 'schedule', id = id, queue = ARGV[11], before = ARGV[12], after = ARGV[13] })
end
return 1
