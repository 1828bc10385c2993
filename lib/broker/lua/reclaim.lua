-- Takes back leases that ran out, oldest first. Any number of reclaimers is harmless.
-- KEYS: jobs ready waiting inflight claims attempts dead deadBy deaths deadCounts groups driven operations history unique uniqueUntil fair limits config running throttled counters minutes events wake audit
-- ARGV: clock, limit (1..200), json (who and why, when a person asked for it; '' otherwise)
-- REPLY: returned to ready, died, still overdue (1/0)
--@include count
--@include emit
--@include wake
--@include claims
--@include attempts
--@include history
--@include unique
--@include running
--@include bury
--@include ready
--@include lose
--@lazy audit
local limit, by = tonumber(ARGV[2]), ARGV[3] or ''
if by ~= '' then audit_opens(K_audit) end
local ids = redis.call('ZRANGE', K_inflight, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
if #ids == 0 then return { 0, 0, 0 } end
local rows = redis.call('HMGET', K_claims, unpack(ids))
redis.call('ZREM', K_inflight, unpack(ids))
redis.call('HDEL', K_claims, unpack(ids))
local back, died = {}, {}
for i = 1, #ids do
  local outcome = lose(ids[i], rows[i] and claim_of(rows[i]), 'LEASE_EXPIRED', '{"message":"Its worker stopped renewing the lease."}')
  if outcome == 'dead' then died[#died + 1] = ids[i] elseif outcome == 'ready' then back[#back + 1] = ids[i] end
end
book_slots()
book_deaths()
count('reclaimed', #ids)
if #back > 0 then emit('reclaimed', back) end
if #died > 0 then emit('dead', died) end
if by ~= '' then audit(K_audit, 'queue.reclaim', by, { kind = 'queue', count = #ids }) end
wake()
return { #back, #died, #ids == limit and 1 or 0 }
