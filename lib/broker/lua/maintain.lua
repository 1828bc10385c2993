-- What keeps an idle queue alive: promotes due jobs, ends pauses that ran out, deletes what retention says (trash, old dead
-- and completed jobs), forgets old minutes, keys, buckets and places, and puts a lost wake token back. Bounded; says whether more is left.
-- KEYS: jobs ready waiting inflight scheduled retry held heldBy pauses completed finished finishedBefore dead deadBy deadCounts groups trash attempts history deaths results unique uniqueUntil calls callEnds fair limits running throttled counters minutes config events wake
-- ARGV: clock
-- REPLY: promoted, jobs deleted by retention, more left (1/0), next time something falls due (ms, 0 none)
--@include count
--@include emit
--@include wake
--@include held
--@include pauses
--@include due
--@include forget
--@include unbury
--@include retain
--@include sweep
--@include sweep-groups
--@include trim-minutes
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('ZREM', K_ready, '')
local promoted, nextAt = promote_due(150)
local _, nextEnd = live_pauses(100)
local gone, moreGone = retain()
turn_finished(true)
local moreKept = sweep(400 - promoted - gone)
if trim_minutes() then sweep_groups() end
wake()
if redis.call('ZCOUNT', K_throttled, '-inf', now) > 0 then redis.call('ZADD', K_wake, 0, '1') end
for _, at in ipairs({ nextEnd, tonumber(redis.call('ZRANGE', K_throttled, 0, 0, 'WITHSCORES')[2] or 0) }) do
  if at > 0 and (nextAt == 0 or at < nextAt) then nextAt = at end
end
return { promoted, gone, (promoted >= 150 or moreGone or moreKept) and 1 or 0, nextAt }
