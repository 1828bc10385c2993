-- Empties the outbox of an operation: those that arrived are moved, those that were refused come back to where they were.
-- KEYS: jobs ready idempotency idempotencyDue attempts dead deadBy deaths deadCounts suppressed history counters minutes events changes audit operations
-- ARGV: clock, op, batch, actor and reason as JSON, kind, a digit a job, as transfer-arrive gives it, what it is about
-- REPLY: as that of a chunk, see operations/chunk.lua
local death_index = require('dead.death_index')
local death_row = require('rows.death_row')
local idempotency_keys = require('jobs.idempotency_keys')
local keys = require('keys')
local op_progress = require('operations.op_progress')
local queue = require('queue')
local transfer = require('transfers.transfer')
op_progress.read()
local field, refusals = ARGV[2] .. ' outbox', { ['2'] = 'id-taken', ['3'] = 'not-unique', ['4'] = 'changed' }
local text = redis.call('HGET', keys.operations, field)
local batch, jobs = nil, {}
if text then batch, jobs = transfer.parse(text) end
if batch ~= ARGV[3] then return queue.commit(op_progress.reply(false, 0)) end
redis.call('HDEL', keys.operations, field)
local back, rows, logs, attempts, dead, deaths, shelved, kept = {}, {}, {}, {}, {}, {}, {}, {}
for i = 1, #jobs do
  local job, refusal = jobs[i], refusals[string.sub(ARGV[6], i, i)]
  if refusal then
    op_progress.skip(refusal, job.id)
    -- A producer that enqueued it again meanwhile has replaced it.
    if redis.call('HEXISTS', keys.jobs, job.id) == 0 then
      local n = #back + 1
      back[n] = job.id
      rows[2 * n - 1], rows[2 * n] = job.id, job.row
      attempts[2 * n - 1], attempts[2 * n] = job.id, job.attempts
      if job.log ~= '' then
        logs[#logs + 1] = job.id
        logs[#logs + 1] = job.log
      end
      if job.shelf == 'suppressed' then
        shelved[#shelved + 1], shelved[#shelved + 2] = job.score, job.id
        if job.death ~= '-' then kept[#kept + 1], kept[#kept + 2] = job.id, job.death end
      else
        dead[#dead + 1] = job.id
        deaths[#dead] = job
      end
    end
  else
    op_progress.state.moved = op_progress.state.moved + 1
  end
end
if #back > 0 then
  idempotency_keys.add(rows)
  redis.call('HSET', keys.jobs, unpack(rows))
  redis.call('HSET', keys.attempts, unpack(attempts))
  if #logs > 0 then redis.call('HSET', keys.history, unpack(logs)) end
  if #shelved > 0 then redis.call('ZADD', keys.suppressed, unpack(shelved)) end
  if #kept > 0 then redis.call('HSET', keys.deaths, unpack(kept)) end
  for i = 1, #dead do deaths[i] = death_row.parse(deaths[i].death) or death_index.from_history(dead[i], tonumber(deaths[i].score)) end
  death_index.add_all(dead, deaths)
  -- They are in the ledger again.
  queue.count('deleted', -#back)
  queue.emit('returned', back)
end
op_progress.save()
op_progress.record(ARGV[4], ARGV[5], ARGV[7])
return queue.commit(op_progress.reply(true, #jobs))
