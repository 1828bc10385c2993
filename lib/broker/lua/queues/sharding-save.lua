-- Writes how a queue is sharded, unless somebody else changed it meanwhile.
-- KEYS: queuesSharding queuesAudit
-- ARGV: clock, queue, the record it was made over ('' none), the new record ('' forgets it); when the queue is another afterwards: actor and reason as JSON, before and after
-- REPLY: 1 written, 0 it was changed
local audit_event = require('audit.audit_event')
local keys = require('keys')
if ARGV[5] then audit_event.open(keys.queuesAudit) end
if (redis.call('HGET', keys.queuesSharding, ARGV[2]) or '') ~= ARGV[3] then return 0 end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.queuesSharding, '')
-- Counted, so that processes read the record only after a change.
if ARGV[4] == '' then redis.call('HDEL', keys.queuesSharding, ARGV[2]) else redis.call('HSET', keys.queuesSharding, ARGV[2], ARGV[4]) end
-- A record made anew, after data loss, counts from its time: no process takes it for one that it has read before.
if redis.call('HINCRBY', keys.queuesSharding, '#', 1) == 1 then
  local time = redis.call('TIME')
  redis.call('HSET', keys.queuesSharding, '#', time[1] .. string.format('%06d', time[2]))
end
if ARGV[5] then
  audit_event.add(keys.queuesAudit, 'queue.sharding', ARGV[5], { kind = 'queue', id = ARGV[2], queue = ARGV[2], before = ARGV[6], after = ARGV[7] })
end
return 1
