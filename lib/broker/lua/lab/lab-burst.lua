-- Asks the demo's supervisor for a burst of jobs.
-- KEYS: labBursts labAudit
-- ARGV: clock, the burst as JSON, how many jobs, how many bursts may wait, actor and reason as JSON ('' for none)
-- REPLY: 1 asked, 0 too many wait already
local audit_event = require('audit.audit_event')
local keys = require('keys')
audit_event.open(keys.labAudit)
if redis.call('LLEN', keys.labBursts) >= tonumber(ARGV[4]) then return 0 end
redis.call('RPUSH', keys.labBursts, ARGV[2])
if ARGV[5] ~= '' then audit_event.add(keys.labAudit, 'lab.burst', ARGV[5], { kind = 'lab', id = 'burst', count = ARGV[3] }) end
return 1
