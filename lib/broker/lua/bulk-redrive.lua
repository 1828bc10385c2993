-- Puts dead or suppressed jobs back to ready, as a chunk of an operation; with kind `edit`, with the rows that came along. Marks
-- them as driven by it, with their deaths, so that their end is counted and they can be recalled as they were.
-- KEYS: jobs ready waiting attempts dead deadBy deaths deadCounts suppressed history unique uniqueUntil fair limits config counters minutes events wake changes audit operations driven
-- ARGV: of a chunk, see include/chunk.lua; word: suppressed, if that is where they are; extra: "skip <reason>"; "key": only if it has an idempotency key; or "row <its row as it shall be>"
-- REPLY: of a chunk, see include/chunk.lua
--@include chunk
--@include wake
--@include rows-of
--@include redrive
--@include driven
if not begins() then return progress_reply(false, 0) end
local ids = chunk_ids()
local rows, logs, taken = rows_of(ids, CHUNK_BYTES)
local suppressed = word == 'suppressed'
local kept = unchanged(suppressed and K_suppressed or K_dead, ids, taken, not suppressed and logs)
local known, knownRows = deaths_of(picked(ids, kept))
local going, edited, deaths, deathRows, keys = {}, {}, {}, {}, {}
for k = 1, #kept do
  local i = kept[k]
  local extra = extra_of(i)
  -- One that died again of this very operation, by a clock that went back, was counted when it was moved.
  local again = known[k] and known[k].operation == op
  local reason = again or string.match(extra, '^skip (%S+)$') or redrive_refusal(ids[i], rows[i], keys, extra == 'key')
  if not reason then
    going[#going + 1] = i
    deaths[#going], deathRows[#going] = known[k], knownRows[k]
    edited[#going] = string.match(extra, '^row (.*)$') or false
  elseif not again then
    skip(reason, ids[i])
  end
end
local moved = picked(ids, going)
redrive_all(moved, picked(logs, going), deaths, kind == 'edit' and 'edited' or 'redriven', json, edited, not suppressed)
drive(moved, op, deathRows)
book_dead()
if #moved > 0 then
  count('redriven', #moved)
  wake()
end
return ends(taken, 'redriven', moved)
