-- One chunk of an operation in this place: its jobs, its counts and its cursor move together or not at all. Whoever was faster
-- has moved the cursor, and this chunk then does nothing.
-- ARGV of every chunk: clock, op, cursor it goes on from, cursor after it, 1 when it is the last, entries looked at up to each of its jobs and for all of it, json
-- (who and why), kind, a word of the kind's own ('' for none), the cut-off in ms since 1970 ('' for none) and,
-- behind it, what the operation is about, in words, for the queue's record; then per job: id, stamp (what its index said when it was found),
-- cursor after it, extra ('' for none).
-- Reply of every chunk: applied (1/0), status, scanned, moved, skipped, skips, cursor, ready now, jobs of the chunk that were
-- dealt with: fewer than it has when they are large.
--@include count
--@include emit
--@include progress
--@include picked
--@include last-line
local op, from, upto, last, json, kind, word = ARGV[2], ARGV[3], ARGV[4], ARGV[5] == '1', ARGV[7], ARGV[8], ARGV[9]
local cutoff, set = string.match(ARGV[10], '^(%d*)(.*)$')
cutoff = tonumber(cutoff)
-- Read by one step: what is more is left to the next.
local CHUNK_BYTES = 262144
-- Whether this chunk is the next. If it is, a removal comes first, even of nothing: Redis refuses a script whose first write adds
-- when memory is full.
local function begins()
  load_progress()
  if progress.status ~= 'running' or progress.cursor ~= from then return false end
  redis.call('HDEL', K_operations, '')
  return true
end
local function chunk_ids()
  local ids = {}
  for i = 11, #ARGV, 4 do ids[#ids + 1] = ARGV[i] end
  return ids
end
local function stamp_of(i) return ARGV[8 + 4 * i] end
local function extra_of(i) return ARGV[10 + 4 * i] end
-- Whether a dead job was brought back after the cut-off, from the trash, say. It stands where it died, among those that were
-- previewed, but it was not there then, or has left since; and nothing is said of one that nobody asked for.
local function came_back(log)
  if not cutoff or not log then return false end
  local at, what = string.match(log, '^(%d+) (%S+) ', last_line_at(log))
  return (what == 'restored' or what == 'recalled') and tonumber(at) > cutoff
end
-- Which of the first `taken` stand in this index where they were seen, by their places in the chunk. The others are changed.
-- `logs`: their histories, which tell of dead ones how they got there.
local function unchanged(source, ids, taken, logs)
  local kept = {}
  local scores = taken > 0 and redis.call('ZMSCORE', source, unpack(ids, 1, taken)) or {}
  for i = 1, taken do
    if not scores[i] or tonumber(scores[i]) ~= tonumber(stamp_of(i)) then
      skip('changed', ids[i])
    elseif not (logs and came_back(logs[i])) then
      kept[#kept + 1] = i
    end
  end
  return kept
end
local function looked_up_to(nth)
  local n = 0
  for looked in string.gmatch(ARGV[6], '%d+') do
    n = n + 1
    if n == nth then return tonumber(looked) end
  end
  return 0
end
-- Ends the chunk after `taken` of its jobs. `done`: the ids of those that were moved, under the name the events have for it.
local function ends(taken, event, done)
  progress.moved = progress.moved + #done
  if 4 * taken == #ARGV - 10 then
    progress.cursor, progress.scanned = upto, progress.scanned + string.match(ARGV[6], '%d+$')
    if last then progress.status = 'done' end
  else
    progress.cursor, progress.scanned = ARGV[9 + 4 * taken], progress.scanned + looked_up_to(taken)
  end
  save_progress()
  if #done > 0 then emit(event, done) end
  enter(json, kind, set)
  return progress_reply(true, taken)
end
