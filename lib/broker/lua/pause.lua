-- Pauses the queue, a tenant or a job type. Pausing again replaces reason and end; `since` stays.
-- KEYS: pauses pauseShares events changes audit
-- ARGV: clock, scope, for how long in ms (0: until resumed by hand), json (who and why), whose share it takes (see include/shares)
-- REPLY: 1 paused; or -1, why, ceiling: too many tenants and types are paused
--@include now
--@include emit
--@include record
--@include shares
local scope, ask = ARGV[2], share_ask(ARGV[5])
local old = redis.call('HGET', K_pauses, scope)
-- The whole queue can always be paused: it is what is left to do when nothing else is.
local takes = not old and scope ~= 'queue'
if takes then
  -- Pauses also end by themselves, wherever jobs are claimed.
  share_settle(K_pauseShares, 'pauses', function(member) return redis.call('HEXISTS', K_pauses, member) == 1 end)
  local why = share_refused(K_pauseShares, ask, redis.call('HLEN', K_pauses) - redis.call('HEXISTS', K_pauses, 'queue'))
  if why then return { -1, why, 'pauses' } end
end
local since, ends = now, 0
if old then
  local before, untilMs = string.match(old, '^(%d+) (%d+)')
  -- Of a row that is none of ours nothing is known.
  if before and (untilMs == '0' or tonumber(untilMs) > now) then since = before end
end
if tonumber(ARGV[3]) > 0 then ends = now + ARGV[3] end
-- A removal comes first, even of nothing: pausing must work just when memory is full.
redis.call('HDEL', K_pauses, '')
redis.call('HSET', K_pauses, scope, since .. ' ' .. ends .. ' ' .. ARGV[4])
if takes then share_take(K_pauseShares, ask, scope) end
record('pause', ARGV[4], scope, ends > 0 and string.format('until %.0f', ends) or '')
emit('paused', { scope })
return 1
