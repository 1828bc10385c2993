-- Makes scheduled or retrying jobs ready now, as a chunk of an operation.
-- KEYS: jobs ready waiting scheduled retry history fair limits config counters minutes events wake changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: retry, if that is where they are
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include wake
--@include rows-of
--@include promote
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local rows, logs, taken = rows_of(ids, CHUNK_BYTES)
local kept = unchanged(word == 'retry' and K_retry or K_scheduled, ids, taken)
local moved = picked(ids, kept)
promote_all(moved, picked(rows, kept), picked(logs, kept), json)
if #moved > 0 then wake() end
return ends(taken, 'promoted', moved)
