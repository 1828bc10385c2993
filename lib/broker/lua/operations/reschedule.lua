-- Gives waiting jobs another time to become due, as a chunk of an operation. Those that were ready become scheduled. One that has
-- that time already is not what was looked for: a walk by due time may come past the jobs it moved itself.
-- KEYS: ready waiting scheduled retry history events changes audit operations
-- ARGV: of a chunk, see operations/chunk.lua; word: "<state> <due in ms since 1970>"
-- REPLY: of a chunk, see operations/chunk.lua
local chunk = require('operations.chunk')
local history_log = require('rows.history_log')
local job_reader = require('jobs.job_reader')
local keys = require('keys')
local op_progress = require('operations.op_progress')
local queue = require('queue')
if not chunk.begin() then return queue.commit(op_progress.reply(false, 0)) end
local ids = chunk.ids()
local logs, taken = job_reader.histories(ids, chunk.BYTES)
local state, due = string.match(chunk.word, '^(%S+) (%d+)$')
local sources = { ready = keys.ready, retry = keys.retry, scheduled = keys.scheduled }
local target = state == 'retry' and keys.retry or keys.scheduled
local kept, going, scores = chunk.unchanged(sources[state], ids, taken), {}, {}
for k = 1, #kept do
  local i = kept[k]
  if state == 'ready' or tonumber(chunk.stamp(i)) ~= tonumber(due) then
    going[#going + 1] = i
    scores[2 * #going - 1], scores[2 * #going] = due, ids[i]
  end
end
local moved = job_reader.pick(ids, going)
if #moved > 0 then
  if state == 'ready' then
    redis.call('ZREM', keys.ready, unpack(moved))
    redis.call('ZREM', keys.waiting, unpack(moved))
  end
  redis.call('ZADD', target, unpack(scores))
  history_log.add_all(moved, job_reader.pick(logs, going), history_log.format('rescheduled', 0, 0, '-', '-', '-', chunk.by))
end
return queue.commit(chunk.finish(taken, 'rescheduled', moved))
