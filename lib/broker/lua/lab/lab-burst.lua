-- Asks the demo's supervisor for a burst of jobs.
-- KEYS: labBursts labAudit
-- ARGV: clock, how many jobs, how many bursts may wait, actor and reason as JSON ('' for none)
-- REPLY: 1 asked, 0 too many wait already
local audit_event = require('audit.audit_event')
local keys = require('keys')
audit_event.open(keys.labAudit)
if redis.call('LLEN', keys.labBursts) >= tonumber(ARGV[3]) then return 0 end
redis.call('RPUSH', keys.labBursts, ARGV[2])
if ARGV[4] ~= '' then audit_event.add(keys.labAudit, 'lab.burst', ARGV[4], { kind = 'lab', id = 'burst', count = ARGV[2] }) end
return 1
