-- Brings suppressed or trashed jobs back to the dead-letter queue, as a chunk of an operation.
-- KEYS: jobs ready attempts dead deadBy deaths deadCounts suppressed trash history counters minutes events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: suppressed, if that is where they are
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include logs-of
--@include restore
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local logs, taken = logs_of(ids, CHUNK_BYTES)
local kept = unchanged(word == 'suppressed' and K_suppressed or K_trash, ids, taken)
local moved = picked(ids, kept)
restore_all(moved, picked(logs, kept), json, op)
book_dead()
return ends(taken, 'restored', moved)
