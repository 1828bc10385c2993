-- Suppresses or purges jobs, as a chunk of an operation.
-- KEYS: ready dead deadBy deaths deadCounts suppressed trash history counters minutes events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: suppressed, if that is where they are
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include logs-of
--@include shelve
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local logs, taken = logs_of(ids, CHUNK_BYTES)
local kept = unchanged(word == 'suppressed' and K_suppressed or K_dead, ids, taken, word ~= 'suppressed' and logs)
local moved, event = picked(ids, kept), kind == 'suppress' and 'suppressed' or 'purged'
shelve_all(moved, picked(logs, kept), kind == 'suppress' and K_suppressed or K_trash, event, json, op)
book_dead()
return ends(taken, event, moved)
