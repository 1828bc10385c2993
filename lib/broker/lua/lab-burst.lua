-- Asks the demo's supervisor for a burst of jobs.
-- KEYS: labBursts labAudit
-- ARGV: clock, how many jobs, how many bursts may wait, json (who and why; '' for nobody)
-- REPLY: 1 asked, 0 too many wait already
--@include audit
audit_opens(K_labAudit)
if redis.call('LLEN', K_labBursts) >= tonumber(ARGV[3]) then return 0 end
redis.call('RPUSH', K_labBursts, ARGV[2])
if ARGV[4] ~= '' then audit(K_labAudit, 'lab.burst', ARGV[4], { kind = 'lab', id = 'burst', count = ARGV[2] }) end
return 1
