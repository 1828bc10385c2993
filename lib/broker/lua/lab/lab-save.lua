-- Keeps the demo's settings.
-- KEYS: labSettings labAudit
-- ARGV: clock, the settings as JSON, actor and reason as JSON ('' for none)
-- REPLY: 1
local audit_event = require('audit.audit_event')
local keys = require('keys')
audit_event.open(keys.labAudit)
local old = redis.call('GET', keys.labSettings)
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('DEL', keys.labSettings)
redis.call('SET', keys.labSettings, ARGV[2])
if ARGV[3] ~= '' then audit_event.add(keys.labAudit, 'lab.settings', ARGV[3], { kind = 'lab', id = 'settings', before = old or '', after = ARGV[2] }) end
return 1
