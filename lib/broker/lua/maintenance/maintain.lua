-- What keeps an idle queue alive: promotes due jobs, ends pauses that ran out, deletes what retention says (trash, old dead
-- and completed jobs), forgets old minutes, keys, buckets and places, and puts a lost wake token back. Bounded; says whether more is left.
-- KEYS: jobs ready waiting inflight scheduled retry held heldBy pauses completed finished finishedBefore dead deadBy deadCounts groups trash attempts history deaths results unique uniqueUntil idempotency idempotencyDue calls callEnds fair limits running throttled counters minutes minuteRows minuteBlocks tenMinuteRows tallies config events wake
-- ARGV: clock
-- REPLY: promoted, jobs deleted by retention, more left (1/0), next time something falls due (ms, 0 none)
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
local due_jobs = require('jobs.due_jobs')
local finished_ids = require('jobs.finished_ids')
local hot_hashes = require('maintenance.hot_hashes')
local keys = require('keys')
local leftovers = require('maintenance.leftovers')
local old_minutes = require('maintenance.old_minutes')
local queue = require('queue')
local retention = require('maintenance.retention')
redis.call('ZREM', keys.ready, '')
local promoted, nextAt = due_jobs.promote(150)
local nextEnd = 0
if redis.call('EXISTS', keys.pauses) == 1 then
  local pause_scopes = require('queues.pause_scopes')
  local _
  _, nextEnd = pause_scopes.in_force()
end
local gone, moreGone = retention.apply()
finished_ids.rotate(true)
local moreKept = leftovers.expire(400 - promoted - gone)
-- Before old minutes are removed.
local moreMinutes = false
if tonumber(string.match(redis.call('HGET', keys.limits, 'fold') or '', '^%d+') or 0) ~= queue.minute - 1 then
  local minute_fold = require('history.minute_fold')
  moreMinutes = minute_fold.fold()
end
if not moreMinutes and old_minutes.trim() then
  local old_groups = require('maintenance.old_groups')
  old_groups.expire()
end
hot_hashes.make_tables()
queue.wake()
if redis.call('ZCOUNT', keys.throttled, '-inf', queue.now) > 0 then redis.call('ZADD', keys.wake, 0, '1') end
for _, at in ipairs({ nextEnd, tonumber(redis.call('ZRANGE', keys.throttled, 0, 0, 'WITHSCORES')[2] or 0) }) do
  if at > 0 and (nextAt == 0 or at < nextAt) then nextAt = at end
end
return queue.commit({ promoted, gone, (promoted >= 150 or moreGone or moreKept or moreMinutes) and 1 or 0, nextAt })
