-- Writes, changes or deletes a schedule, if its record still is what the writer read.
-- KEYS: schedulesDue schedulesRecords schedulesAudit
-- ARGV: clock, id, the record as it was read ('' for a new one), as it shall be ('' to delete it), when to look at it ('+inf': not by itself), a fence to forget ('' or "<id>@<queue>@<generation>") and when; when somebody does this: json (who and why), action, queue, before, after
-- REPLY: 1 saved, 0 it was changed meanwhile (or exists), -1 there are too many
--@include audit
if ARGV[8] then audit_opens(K_schedulesAudit) end
local id, before, after, fence = ARGV[2], ARGV[3], ARGV[4], ARGV[6]
local known = redis.call('HLEN', K_schedulesRecords) - redis.call('HEXISTS', K_schedulesRecords, '.generation')
if (redis.call('HGET', K_schedulesRecords, id) or '') ~= before then return 0 end
if before == '' and known >= 1000 then return -1 end
-- Fences to forget wait here for a day; deleting takes one place and gives one back, so only growth is stopped.
if after ~= '' and (before == '' or fence ~= '') and redis.call('ZCARD', K_schedulesDue) >= 5000 then return -1 end
-- A removal comes first, even of nothing: pausing must work just when memory is full.
redis.call('ZREM', K_schedulesDue, id)
if after == '' then
  redis.call('HDEL', K_schedulesRecords, id)
else
  redis.call('HSET', K_schedulesRecords, id, after)
  redis.call('ZADD', K_schedulesDue, ARGV[5], id)
end
if fence ~= '' then redis.call('ZADD', K_schedulesDue, ARGV[7], fence) end
if ARGV[8] then
  audit(K_schedulesAudit, ARGV[9], ARGV[8], { kind = 'schedule', id = id, queue = ARGV[10], before = ARGV[11], after = ARGV[12] })
end
return 1
