-- Sends dead or suppressed jobs on their way to another queue, as a chunk of an operation: they leave this one here and now, and
-- stand in its transfer until they have arrived (transfer-arrive, in the other queue) and transfer-settle confirms it here.
-- KEYS: jobs ready attempts dead deadBy deaths deadCounts suppressed history results finished finishedBefore config counters minutes events changes audit operations
-- ARGV: of a chunk, see operations/chunk.lua; word: "<dead|suppressed>[ <the target's sharding>]"; extra: "skip <reason>", or "key": only if it has an idempotency key
-- REPLY: of a chunk, see operations/chunk.lua; and 1 when jobs are on their way: then nothing else goes before they are settled
local attempt_row = require('rows.attempt_row')
local chunk = require('operations.chunk')
local death_index = require('dead.death_index')
local job_reader = require('jobs.job_reader')
local job_removal = require('jobs.job_removal')
local keys = require('keys')
local op_progress = require('operations.op_progress')
local queue = require('queue')
local redrive_rules = require('operations.redrive_rules')
local transfer = require('transfers.transfer')
op_progress.read()
local waiting = redis.call('HEXISTS', keys.operations, chunk.op .. ' outbox') == 1
if waiting or not chunk.begin() then
  local reply = op_progress.reply(false, 0)
  reply[10] = waiting and 1 or 0
  return queue.commit(reply)
end
local shelf, sharding = string.match(chunk.word, '^(%S+) ?(.*)$')
local source = shelf == 'suppressed' and keys.suppressed or keys.dead
local ids = chunk.ids()
local rows, logs, taken = job_reader.rows(ids, chunk.BYTES)
local kept, going = chunk.unchanged(source, ids, taken, shelf == 'dead' and logs), {}
for k = 1, #kept do
  local i = kept[k]
  local reason = string.match(chunk.extra(i), '^skip (%S+)$') or redrive_rules.rerun_refusal(rows[i], chunk.extra(i) == 'key')
  if reason then op_progress.skip(reason, ids[i]) else going[#going + 1] = i end
end
local moved = job_reader.pick(ids, going)
if #moved > 0 then
  local before = redis.call('HMGET', keys.attempts, unpack(moved))
  local deaths, deathRows = death_index.read_all(moved)
  local lines, blobs = {}, {}
  op_progress.state.batch = op_progress.state.batch + 1
  lines[1] = string.format('%.0f %d ', op_progress.state.batch, #moved) .. sharding
  for k = 1, #moved do
    local i = going[k]
    local attempt, deliveries, losses, redrives, token = attempt_row.parse(before[k])
    lines[k + 1] = transfer.format(ids[i], shelf, chunk.stamp(i), rows[i], logs[i] or '',
      attempt_row.format(attempt or 0, deliveries or 0, losses or 0, redrives or 0, token or '-'), deathRows[k])
    blobs[2 * k - 1], blobs[2 * k] = rows[i], logs[i] or ''
  end
  death_index.remove_all(moved, deaths)
  redis.call('ZREM', keys.suppressed, unpack(moved))
  job_removal.delete(moved)
  redis.call('HSET', keys.operations, chunk.op .. ' outbox', table.concat(lines, '\n') .. '\n' .. table.concat(blobs))
  queue.emit('left', moved)
end
-- It is not over before they have arrived.
local reply = chunk.finish(taken, 'left', {}, #moved > 0)
reply[10] = #moved > 0 and 1 or 0
return queue.commit(reply)
