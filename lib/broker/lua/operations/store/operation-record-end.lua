-- Records in a queue's history how an operation ended that moved nothing in it: an export, or a rejected one. Once an operation, however
-- often it is called.
-- KEYS: operations changes audit
-- ARGV: clock, op, actor and reason as JSON, what it was about, how it ended, of how many jobs ('' not known)
-- REPLY: 1 entered, 0 it was already
local audit_event = require('audit.audit_event')
local change_log = require('queues.change_log')
local clock = require('redis.clock')
local keys = require('keys')
audit_event.open(keys.audit)
local field = ARGV[2] .. ' noted'
if redis.call('HEXISTS', keys.operations, field) == 1 then return 0 end
redis.call('HDEL', keys.operations, '')
redis.call('HSET', keys.operations, field, string.format('%.0f', clock.now))
change_log.add('operation', ARGV[3], ARGV[4], ARGV[5])
audit_event.add(keys.audit, 'operation.end', ARGV[3], { kind = 'operation', id = ARGV[2], filter = ARGV[4], after = ARGV[5], count = ARGV[6] })
return 1
