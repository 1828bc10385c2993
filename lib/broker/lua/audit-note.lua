-- Enters what changes nothing in Redis, and yet belongs into the audit log: a refused attempt, or a look at what is hidden.
-- KEYS: accessAudit
-- ARGV: clock, action, json (who and why), kind, id, queue, before, after, count, filter, result, code ('' for what there is not)
-- REPLY: 1
--@include audit
audit_opens(K_accessAudit)
-- A removal comes first, even of nothing: attempts are recorded when memory is full, too.
redis.call('XDEL', K_accessAudit, '0-1')
audit(K_accessAudit, ARGV[2], ARGV[3], { kind = ARGV[4], id = ARGV[5], queue = ARGV[6], before = ARGV[7], after = ARGV[8],
  count = ARGV[9], filter = ARGV[10], result = ARGV[11], code = ARGV[12] })
return 1
