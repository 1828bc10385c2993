-- One chunk of an operation in this shard: its jobs, its counts and its cursor move together or not at all. A faster
-- runner has moved the cursor, and this chunk then does nothing.
-- ARGV of every chunk: clock, op, cursor it goes on from, cursor after it, 1 when it is the last, entries looked at up to each of its jobs and for all of it, json
-- (who and why), kind, a word of the kind's own ('' for none), the cut-off in ms since 1970 ('' for none) and,
-- behind it, what the operation is about, in words, for the queue's record; then per job: id, stamp (what its index said when it was found),
-- cursor after it ('' for "<stamp>|<id>"), extra ('' for none).
-- Reply of every chunk: applied (1/0), status, scanned, moved, skipped, skips, cursor, ready now, jobs of the chunk that were
-- dealt with: fewer than it has when they are large.
local history_log = require('rows.history_log')
local keys = require('keys')
local op_progress = require('operations.op_progress')
local queue = require('queue')
local op, from, upto, last, by, kind, word = ARGV[2], ARGV[3], ARGV[4], ARGV[5] == '1', ARGV[7], ARGV[8], ARGV[9]
local cutoff, scope = string.match(ARGV[10], '^(%d*)(.*)$')
cutoff = tonumber(cutoff)
-- The most bytes a chunk reads: the next one reads the rest.
local BYTES = 262144
-- Whether this chunk is the next. If it is, a removal comes first, even of nothing: Redis refuses a script whose first write adds
-- when memory is full.
local function begin()
  op_progress.read()
  if op_progress.state.status ~= 'running' or op_progress.state.cursor ~= from then return false end
  redis.call('HDEL', keys.operations, '')
  return true
end
local function ids()
  local ids = {}
  for i = 11, #ARGV, 4 do ids[#ids + 1] = ARGV[i] end
  return ids
end
local function stamp(i) return ARGV[8 + 4 * i] end
local function extra(i) return ARGV[10 + 4 * i] end
-- Whether a dead job was brought back after the cut-off, from the trash, say. It stands where it died, among those that were
-- previewed, but it was not there then, or has left since; and is passed over silently.
local function came_back(log)
  if not cutoff or not log then return false end
  local start = history_log.last_entry_at(log)
  if not string.find(log, '^%d+ re', start) then return false end
  local at, what = string.match(log, '^(%d+) (%S+) ', start)
  return (what == 'restored' or what == 'recalled') and tonumber(at) > cutoff
end
-- Which of the first `taken` stand in this index where they were seen, by their places in the chunk. The others are changed.
-- `logs`: their histories, which tell of dead ones how they got there.
local function unchanged(source, ids, taken, logs)
  local kept = {}
  local scores = taken > 0 and redis.call('ZMSCORE', source, unpack(ids, 1, taken)) or {}
  for i = 1, taken do
    -- Mostly they are the same text.
    if not scores[i] or scores[i] ~= stamp(i) and tonumber(scores[i]) ~= tonumber(stamp(i)) then
      op_progress.skip('changed', ids[i])
    elseif not (logs and came_back(logs[i])) then
      kept[#kept + 1] = i
    end
  end
  return kept
end
-- The same for jobs in flight, of which the stamp is the token of their claim.
local function still_claimed(ids, taken)
  local claim_row = require('rows.claim_row')
  local kept = {}
  local claims = taken > 0 and redis.call('HMGET', keys.claims, unpack(ids, 1, taken)) or {}
  for i = 1, taken do
    if claim_row.has_token(claims[i], stamp(i)) then kept[#kept + 1] = i else op_progress.skip('changed', ids[i]) end
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
-- Ends the chunk after `taken` of its jobs. `done`: the ids of those that were moved, under the name the events have for it;
-- `goesOn`: there is more to come, even after the last of its jobs.
local function finish(taken, event, done, goesOn)
  op_progress.state.moved = op_progress.state.moved + #done
  if 4 * taken == #ARGV - 10 then
    op_progress.state.cursor, op_progress.state.scanned = upto, op_progress.state.scanned + string.match(ARGV[6], '%d+$')
    if last and not goesOn then op_progress.state.status = 'done' end
  else
    local cursor = ARGV[9 + 4 * taken]
    if cursor == '' then cursor = stamp(taken) .. '|' .. ARGV[7 + 4 * taken] end
    op_progress.state.cursor, op_progress.state.scanned = cursor, op_progress.state.scanned + looked_up_to(taken)
  end
  op_progress.save()
  if #done > 0 then queue.emit(event, done) end
  op_progress.record(by, kind, scope)
  return op_progress.reply(true, taken)
end
return { op = op, by = by, kind = kind, word = word, BYTES = BYTES, begin = begin, ids = ids, stamp = stamp, extra = extra, unchanged = unchanged, still_claimed = still_claimed, finish = finish }
