-- Sends dead or suppressed jobs on their way to another queue, as a chunk of an operation: they leave this one here and now, and
-- stand in its outbox until they have arrived (bulk-arrive, in the other queue) and that is known here (bulk-settle).
-- KEYS: jobs ready attempts dead deadBy deaths deadCounts suppressed history results finished finishedBefore config counters minutes events changes audit operations
-- ARGV: of a chunk, see include/chunk.lua; word: "<dead|suppressed>[ <the target's sharding>]"; extra: "skip <reason>", or "key": only if it has an idempotency key
-- REPLY: of a chunk, see include/chunk.lua; and 1 when jobs are on their way: then nothing else goes before they are settled
--@include chunk
--@include row
--@include attempts
--@include rows-of
--@include deaths-of
--@include forget
--@include may-run
--@include outbox
load_progress()
local waiting = redis.call('HEXISTS', K_operations, op .. ' outbox') == 1
if waiting or not begins() then
  local reply = progress_reply(false, 0)
  reply[10] = waiting and 1 or 0
  return reply
end
local shelf, sharding = string.match(word, '^(%S+) ?(.*)$')
local source = shelf == 'suppressed' and K_suppressed or K_dead
local ids = chunk_ids()
local rows, logs, taken = rows_of(ids, CHUNK_BYTES)
local kept, going = unchanged(source, ids, taken, shelf == 'dead' and logs), {}
for k = 1, #kept do
  local i = kept[k]
  local reason = string.match(extra_of(i), '^skip (%S+)$') or may_run(rows[i], extra_of(i) == 'key')
  if reason then skip(reason, ids[i]) else going[#going + 1] = i end
end
local moved = picked(ids, going)
if #moved > 0 then
  local before = redis.call('HMGET', K_attempts, unpack(moved))
  local deaths, deathRows = deaths_of(moved)
  local lines, blobs = {}, {}
  progress.batch = progress.batch + 1
  lines[1] = string.format('%.0f %d ', progress.batch, #moved) .. sharding
  for k = 1, #moved do
    local i = going[k]
    local attempt, deliveries, losses, redrives, token = tries(before[k])
    lines[k + 1] = outbox_line(ids[i], shelf, stamp_of(i), rows[i], logs[i] or '',
      tries_row(attempt or 0, deliveries or 0, losses or 0, redrives or 0, token or '-'), deathRows[k])
    blobs[2 * k - 1], blobs[2 * k] = rows[i], logs[i] or ''
  end
  unindex_deaths(moved, deaths)
  redis.call('ZREM', K_suppressed, unpack(moved))
  forget(moved)
  redis.call('HSET', K_operations, op .. ' outbox', table.concat(lines, '\n') .. '\n' .. table.concat(blobs))
  emit('left', moved)
  -- It is not over before they have arrived.
  last = false
end
book_dead()
local reply = ends(taken, 'left', {})
reply[10] = #moved > 0 and 1 or 0
return reply
