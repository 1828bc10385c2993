-- Takes back leases that ran out, oldest first. Any number of reclaimers is harmless.
-- KEYS: jobs ready waiting inflight claims attempts dead deadBy deaths deadCounts groups redriven operations history unique uniqueUntil fair limits config running throttled counters minutes tallies events wake audit
-- ARGV: clock, limit (1..200), actor and reason as JSON ('' when maintenance asks)
-- REPLY: returned to ready, died, still overdue (1/0)
local claim_row = require('rows.claim_row')
local keys = require('keys')
local lease_loss = require('claims.lease_loss')
local queue = require('queue')
local limit, by = tonumber(ARGV[2]), ARGV[3] or ''
if by ~= '' then
  local audit_event = require('audit.audit_event')
  audit_event.open(keys.audit)
end
local ids = redis.call('ZRANGE', keys.inflight, '-inf', queue.now, 'BYSCORE', 'LIMIT', 0, limit)
if #ids == 0 then return queue.commit({ 0, 0, 0 }) end
local rows = redis.call('HMGET', keys.claims, unpack(ids))
redis.call('ZREM', keys.inflight, unpack(ids))
redis.call('HDEL', keys.claims, unpack(ids))
local back, died = {}, {}
for i = 1, #ids do
  local outcome = lease_loss.apply(ids[i], rows[i] and claim_row.parse(rows[i]), 'LEASE_EXPIRED', '{"message":"Its worker stopped renewing the lease."}')
  if outcome == 'dead' then died[#died + 1] = ids[i] elseif outcome == 'ready' then back[#back + 1] = ids[i] end
end
queue.count('reclaimed', #ids)
if #back > 0 then queue.emit('reclaimed', back) end
if #died > 0 then queue.emit('dead', died) end
if by ~= '' then
  local audit_event = require('audit.audit_event')
  audit_event.add(keys.audit, 'queue.reclaim', by, { kind = 'queue', count = #ids })
end
queue.wake()
return queue.commit({ #back, #died, #ids == limit and 1 or 0 })
