-- Stops an operation in this shard: no later chunk moves anything. Jobs on their way to another queue still arrive.
-- KEYS: ready operations changes audit
-- ARGV: clock, op, actor and reason as JSON, kind, what it is about
-- REPLY: as that of a chunk, see operations/chunk.lua
local keys = require('keys')
local op_progress = require('operations.op_progress')
op_progress.read()
if op_progress.state.status ~= 'running' then return op_progress.reply(false, 0) end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.operations, '')
op_progress.state.status = 'stopped'
op_progress.save()
op_progress.record(ARGV[3], ARGV[4], ARGV[5])
return op_progress.reply(true, 0)
