-- Ends a pause: it runs out now, and the jobs it held go back to their old places, in steps.
-- KEYS: ready waiting held heldBy pauses events wake changes audit
-- ARGV: clock, scope, actor and reason as JSON, 1 for the first of several calls
-- REPLY: 1 resumed, 2 call again: jobs are still held, 0 was not paused
local keys = require('keys')
local pause_scopes = require('queues.pause_scopes')
local queue = require('queue')
local queue_change = require('queues.queue_change')
local row = redis.call('HGET', keys.pauses, ARGV[2])
if not row then return queue.commit(0) end
-- A row that is none of ours is ended like any other: its scope was named in the call.
local since, json = string.match(row, '^(%d+) %d+ (.*)$')
since, json = since or string.format('%.0f', queue.now), json or '{}'
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('ZREM', keys.held, '')
redis.call('HSET', keys.pauses, ARGV[2], since .. ' ' .. queue.now .. ' ' .. json)
if ARGV[4] == '1' then queue_change.record('resume', ARGV[3], ARGV[2]) end
pause_scopes.in_force()
queue.wake()
if redis.call('HEXISTS', keys.pauses, ARGV[2]) == 1 then return queue.commit(2) end
queue.emit('resumed', { ARGV[2] })
return queue.commit(1)
