-- Deletes jobs for good, as a chunk of an operation.
-- KEYS: jobs ready waiting scheduled retry held heldBy attempts completed finished finishedBefore dead deadBy deaths deadCounts driven suppressed trash history results unique uniqueUntil config counters minutes events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: the state they are in
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include rows-of
--@include remove
if not begins() then return progress_reply(false, 0) end
local sources = { ready = K_ready, held = K_held, scheduled = K_scheduled, retry = K_retry, completed = K_completed,
  dead = K_dead, suppressed = K_suppressed, trashed = K_trash }
local ids = chunk_ids()
local rows, logs, taken = rows_of(ids, CHUNK_BYTES)
local kept, moved = unchanged(sources[word], ids, taken, word == 'dead' and logs), {}
for k = 1, #kept do
  local i = kept[k]
  if remove_one(ids[i], rows[i]) then moved[#moved + 1] = ids[i] else skip('changed', ids[i]) end
end
book_dead()
book_driven()
if #moved > 0 then forget(moved, left) end
return ends(taken, 'deleted', moved)
