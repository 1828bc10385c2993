-- Adds an audit event without a change: a refused attempt, or a look at hidden data.
-- KEYS: accessAudit
-- ARGV: clock, action, actor and reason as JSON, kind, id, queue, before, after, count, filter, result, code ('' for what there is not)
-- REPLY: 1
local audit_event = require('audit.audit_event')
local keys = require('keys')
audit_event.open(keys.accessAudit)
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('XDEL', keys.accessAudit, '0-1')
audit_event.add(keys.accessAudit, ARGV[2], ARGV[3], { kind = ARGV[4], id = ARGV[5], queue = ARGV[6], before = ARGV[7], after = ARGV[8],
  count = ARGV[9], filter = ARGV[10], result = ARGV[11], code = ARGV[12] })
return 1
