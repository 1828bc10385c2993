-- Pauses the queue, a tenant or a job type. Pausing again replaces reason and end; `since` stays.
-- KEYS: pauses pauseShares events changes audit
-- ARGV: clock, scope, for how long in ms (0: until resumed by hand), actor and reason as JSON, share it takes (see access/shares.lua)
-- REPLY: 1 paused; or -1, why, ceiling: too many tenants and types are paused
local keys = require('keys')
local queue = require('queue')
local queue_change = require('queues.queue_change')
local shares = require('access.shares')
local scope, ask = ARGV[2], shares.parse(ARGV[5])
local old = redis.call('HGET', keys.pauses, scope)
-- The whole queue can always be paused: the last resort has no limit.
local takes = not old and scope ~= 'queue'
if takes then
  -- Pauses also end by themselves, wherever jobs are claimed.
  shares.settle(keys.pauseShares, 'pauses', function(member) return redis.call('HEXISTS', keys.pauses, member) == 1 end)
  local why = shares.refusal(keys.pauseShares, ask, redis.call('HLEN', keys.pauses) - redis.call('HEXISTS', keys.pauses, 'queue'))
  if why then return queue.commit({ -1, why, 'pauses' }) end
end
local since, ends = queue.now, 0
if old then
  local before, untilMs = string.match(old, '^(%d+) (%d+)')
  -- An unreadable row says nothing.
  if before and (untilMs == '0' or tonumber(untilMs) > queue.now) then since = before end
end
if tonumber(ARGV[3]) > 0 then ends = queue.now + ARGV[3] end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.pauses, '')
redis.call('HSET', keys.pauses, scope, since .. ' ' .. ends .. ' ' .. ARGV[4])
if takes then shares.take(keys.pauseShares, ask, scope) end
queue_change.record('pause', ARGV[4], scope, ends > 0 and string.format('until %.0f', ends) or '')
queue.emit('paused', { scope })
return queue.commit(1)
