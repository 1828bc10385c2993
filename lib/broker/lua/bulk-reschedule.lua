-- Gives waiting jobs another time to become due, as a chunk of an operation. Those that were ready become scheduled. One that has
-- that time already is not what was looked for: a walk by due time may come past the jobs it moved itself.
-- KEYS: ready waiting scheduled retry history counters minutes events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: "<state> <due in ms since 1970>"
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include logs-of
--@include history
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local logs, taken = logs_of(ids, CHUNK_BYTES)
local state, due = string.match(word, '^(%S+) (%d+)$')
local sources = { ready = K_ready, retry = K_retry, scheduled = K_scheduled }
local target = state == 'retry' and K_retry or K_scheduled
local kept, going, scores = unchanged(sources[state], ids, taken), {}, {}
for k = 1, #kept do
  local i = kept[k]
  if state == 'ready' or tonumber(stamp_of(i)) ~= tonumber(due) then
    going[#going + 1] = i
    scores[2 * #going - 1], scores[2 * #going] = due, ids[i]
  end
end
local moved = picked(ids, going)
if #moved > 0 then
  if state == 'ready' then
    redis.call('ZREM', K_ready, unpack(moved))
    redis.call('ZREM', K_waiting, unpack(moved))
  end
  redis.call('ZADD', target, unpack(scores))
  remember_all(moved, picked(logs, going), history_line('rescheduled', 0, 0, '-', '-', '-', json))
end
return ends(taken, 'rescheduled', moved)
