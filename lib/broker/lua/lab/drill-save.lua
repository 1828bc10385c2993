-- Starts, stops or scores a drill of the demo, if the latest one is still as it was read.
-- KEYS: labDrills labSettings labBursts labAudit
-- ARGV: clock, the latest drill as read ('' for none), the drill as JSON, 1 for a new one, settings as JSON ('' as they are), a burst as JSON ('' for none), how many drills are kept, action for the audit log ('' for none), actor and reason as JSON
-- REPLY: 1 done, 0 the latest drill is another one
local audit_event = require('audit.audit_event')
local keys = require('keys')
audit_event.open(keys.labAudit)
if (redis.call('LINDEX', keys.labDrills, 0) or '') ~= ARGV[2] then return 0 end
local most = tonumber(ARGV[7])
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('LTRIM', keys.labDrills, 0, most - 1)
if ARGV[4] == '1' then
  redis.call('LPUSH', keys.labDrills, ARGV[3])
  redis.call('LTRIM', keys.labDrills, 0, most - 1)
else
  redis.call('LSET', keys.labDrills, 0, ARGV[3])
end
if ARGV[5] ~= '' then redis.call('SET', keys.labSettings, ARGV[5]) end
if ARGV[6] ~= '' then redis.call('RPUSH', keys.labBursts, ARGV[6]) end
if ARGV[8] ~= '' then audit_event.add(keys.labAudit, ARGV[8], ARGV[9], { kind = 'lab', id = 'drill', after = ARGV[3] }) end
return 1
