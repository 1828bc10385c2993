-- Starts or ends draining: new jobs are refused, old ones finish. Starting again replaces who and why; `since` stays.
-- KEYS: config events changes audit
-- ARGV: clock, 1 to drain or 0 to take jobs again, actor and reason as JSON
-- REPLY: 1 changed, 0 it did not drain
local keys = require('keys')
local queue = require('queue')
local queue_change = require('queues.queue_change')
local old = redis.call('HGET', keys.config, 'draining')
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.config, '')
if ARGV[2] == '1' then
  local since = old and string.match(old, '^(%d+) ') or string.format('%.0f', queue.now)
  redis.call('HSET', keys.config, 'draining', since .. ' ' .. ARGV[3])
  queue_change.record('drain', ARGV[3])
  queue.emit('draining', { 'queue' })
  return queue.commit(1)
end
if not old then return queue.commit(0) end
redis.call('HDEL', keys.config, 'draining')
queue_change.record('undrain', ARGV[3])
queue.emit('accepting', { 'queue' })
return queue.commit(1)
