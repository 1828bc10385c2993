-- Stops jobs that have not ended, as a chunk of an operation. Of jobs in flight the stamp is the token of their claim.
-- KEYS: jobs ready waiting scheduled retry held heldBy inflight claims attempts dead deadBy deaths deadCounts groups driven history unique uniqueUntil config running throttled counters minutes wake events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: the state they are in
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include rows-of
--@include cancel
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local rows, _, taken = rows_of(ids, CHUNK_BYTES)
local sources = { ready = K_ready, held = K_held, scheduled = K_scheduled, retry = K_retry }
local kept = {}
if word == 'in-flight' then
  local claims = taken > 0 and redis.call('HMGET', K_claims, unpack(ids, 1, taken)) or {}
  for i = 1, taken do
    if holds(claims[i], stamp_of(i)) then kept[#kept + 1] = i else skip('changed', ids[i]) end
  end
else
  kept = unchanged(sources[word], ids, taken)
end
local moved = {}
for k = 1, #kept do
  local i = kept[k]
  if cancel_one(ids[i], rows[i], json, op) then moved[#moved + 1] = ids[i] else skip('changed', ids[i]) end
end
book_slots()
book_deaths()
if #moved > 0 then count('dead', #moved) end
return ends(taken, 'dead', moved)
