-- Counts the demo's crashes and reclaimed jobs from now on.
-- KEYS: labSession labAudit
-- ARGV: clock, jobs reclaimed so far, actor and reason as JSON ('' for none)
-- REPLY: 1
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
audit_event.open(keys.labAudit)
local crashes = redis.call('HGET', keys.labSession, 'crashes') or '0'
redis.call('HDEL', keys.labSession, 'since')
redis.call('HSET', keys.labSession, 'since', string.format('%.0f', clock.now), 'crashesBefore', crashes, 'reclaimedBefore', ARGV[2])
if ARGV[3] ~= '' then audit_event.add(keys.labAudit, 'lab.reset', ARGV[3], { kind = 'lab', id = 'session', before = crashes }) end
return 1
