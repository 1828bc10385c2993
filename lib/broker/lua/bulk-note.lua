-- Enters in a queue's record how an operation ended that moved nothing in it: an export, or one that was turned down. Once an
-- operation, however often it is said.
-- KEYS: operations changes audit
-- ARGV: clock, op, json (who and why), what it was about, how it ended, of how many jobs ('' not known)
-- REPLY: 1 entered, 0 it was already
--@include now
--@include record
local field = ARGV[2] .. ' noted'
if redis.call('HEXISTS', K_operations, field) == 1 then return 0 end
redis.call('HDEL', K_operations, '')
redis.call('HSET', K_operations, field, string.format('%.0f', now))
enter_change('operation', ARGV[3], ARGV[4], ARGV[5])
audit(K_audit, 'operation.end', ARGV[3], { kind = 'operation', id = ARGV[2], filter = ARGV[4], after = ARGV[5], count = ARGV[6] })
return 1
