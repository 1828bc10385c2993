-- Writes how a queue is sharded, unless somebody else changed it meanwhile.
-- KEYS: queuesSharding queuesAudit
-- ARGV: clock, queue, the record it was made over ('' none), the new record ('' forgets it); when the queue is another afterwards: json (who and why), before and after
-- REPLY: 1 written, 0 it was changed
--@include audit
if ARGV[5] then audit_opens(K_queuesAudit) end
if (redis.call('HGET', K_queuesSharding, ARGV[2]) or '') ~= ARGV[3] then return 0 end
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('HDEL', K_queuesSharding, '')
-- Counted, so that processes read the record only after a change.
if ARGV[4] == '' then redis.call('HDEL', K_queuesSharding, ARGV[2]) else redis.call('HSET', K_queuesSharding, ARGV[2], ARGV[4]) end
redis.call('HINCRBY', K_queuesSharding, '#', 1)
if ARGV[5] then
  audit(K_queuesAudit, 'queue.sharding', ARGV[5], { kind = 'queue', id = ARGV[2], queue = ARGV[2], before = ARGV[6], after = ARGV[7] })
end
return 1
