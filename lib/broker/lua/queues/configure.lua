-- Changes live settings, all of them or none, unless somebody else changed some meanwhile.
-- KEYS: ready finished finishedBefore config counters throttled events wake changes audit
-- ARGV: clock, revision the change was made over, actor and reason as JSON, before and after (json), how many fields are set, then these (field, value), then fields to clear
-- REPLY: the new revision; -1: the settings are at another revision
local keys = require('keys')
local queue = require('queue')
local queue_change = require('queues.queue_change')
local resend_window = require('jobs.resend_window')
local revision = tonumber(redis.call('HGET', keys.config, 'revision') or 0)
if revision ~= tonumber(ARGV[2]) then return queue.commit(-1) end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.config, '')
local window = resend_window.length()
local wasFair = redis.call('HGET', keys.config, 'fair')
local sets = 6 + 2 * tonumber(ARGV[6])
for i = 7, sets, 2 do
  local value = ARGV[i + 1]
  -- Fairness starts behind the line as it stands: see ready_order.lua.
  if ARGV[i] == 'fair' then value = wasFair or string.format('%.0f', (redis.call('HGET', keys.counters, 'seq') or 0) + 1) end
  redis.call('HSET', keys.config, ARGV[i], value)
end
for i = sets + 1, #ARGV do redis.call('HDEL', keys.config, ARGV[i]) end
-- What the shorter window forgot stays forgotten.
if resend_window.length() > window then resend_window.restart(queue.now - window) end
redis.call('HSET', keys.config, 'revision', revision + 1)
queue_change.record('config', ARGV[3], ARGV[4], ARGV[5])
queue.emit('configured', { 'queue' })
-- Jobs that stepped aside for a limit that was lifted come back now, not at the next look.
local throttled = redis.call('ZRANGE', keys.throttled, 0, 199)
for i = 1, #throttled do redis.call('ZADD', keys.throttled, 'LT', queue.now, throttled[i]) end
if #throttled > 0 then redis.call('ZADD', keys.wake, 0, '1') end
queue.wake()
return queue.commit(revision + 1)
