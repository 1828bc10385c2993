-- Keeps the demo's settings.
-- KEYS: labSettings labAudit
-- ARGV: clock, the settings as JSON, json (who and why; '' for nobody)
-- REPLY: 1
--@include audit
audit_opens(K_labAudit)
local old = redis.call('GET', K_labSettings)
-- A removal comes first: failures must be switched off when memory is full, too.
redis.call('DEL', K_labSettings)
redis.call('SET', K_labSettings, ARGV[2])
if ARGV[3] ~= '' then audit(K_labAudit, 'lab.settings', ARGV[3], { kind = 'lab', id = 'settings', before = old or '', after = ARGV[2] }) end
return 1
