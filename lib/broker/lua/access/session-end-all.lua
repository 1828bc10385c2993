-- Ends the sessions of a person, all or all but one.
-- KEYS: accessSessions accessSessionEnds accessAudit
-- ARGV: clock, person, id of the one that stays ('' for none), actor and reason as JSON
-- REPLY: how many were ended
local audit_event = require('audit.audit_event')
local keys = require('keys')
local sessions = require('access.sessions')
audit_event.open(keys.accessAudit)
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.accessSessions, '')
local gone = sessions.remove_all(ARGV[2], ARGV[3])
audit_event.add(keys.accessAudit, 'session.end-all', ARGV[4], { kind = 'user', id = ARGV[2], count = gone })
return gone
