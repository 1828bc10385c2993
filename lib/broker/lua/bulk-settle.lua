-- Empties the outbox of an operation: those that arrived are moved, those that were refused come back to where they were.
-- KEYS: jobs ready attempts dead deadBy deaths deadCounts suppressed history counters minutes events changes audit operations
-- ARGV: clock, op, batch, json (who and why), kind, a digit a job, as bulk-arrive gives it, what it is about
-- REPLY: as that of a chunk, see include/chunk.lua
--@include count
--@include emit
--@include progress
--@include deaths-of
--@include death-history
--@include outbox
load_progress()
local field, refusals = ARGV[2] .. ' outbox', { ['2'] = 'id-taken', ['3'] = 'not-unique', ['4'] = 'changed' }
local text = redis.call('HGET', K_operations, field)
local batch, jobs = nil, {}
if text then batch, jobs = open_outbox(text) end
if batch ~= ARGV[3] then return progress_reply(false, 0) end
redis.call('HDEL', K_operations, field)
local back, rows, logs, attempts, dead, deaths, shelved, kept = {}, {}, {}, {}, {}, {}, {}, {}
for i = 1, #jobs do
  local job, refusal = jobs[i], refusals[string.sub(ARGV[6], i, i)]
  if refusal then
    skip(refusal, job.id)
    -- Whoever enqueued it anew meanwhile has put it in this one's place.
    if redis.call('HEXISTS', K_jobs, job.id) == 0 then
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
    progress.moved = progress.moved + 1
  end
end
if #back > 0 then
  redis.call('HSET', K_jobs, unpack(rows))
  redis.call('HSET', K_attempts, unpack(attempts))
  if #logs > 0 then redis.call('HSET', K_history, unpack(logs)) end
  if #shelved > 0 then redis.call('ZADD', K_suppressed, unpack(shelved)) end
  if #kept > 0 then redis.call('HSET', K_deaths, unpack(kept)) end
  for i = 1, #dead do deaths[i] = parse_death(deaths[i].death) or death_in_history(dead[i], tonumber(deaths[i].score)) end
  index_deaths(dead, deaths)
  -- They are in the ledger again.
  count('deleted', -#back)
  emit('returned', back)
end
book_dead()
save_progress()
enter(ARGV[4], ARGV[5], ARGV[7])
return progress_reply(true, #jobs)
