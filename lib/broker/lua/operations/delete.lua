-- Deletes jobs permanently, from any state but in-flight: a running job is cancelled first.
-- KEYS: jobs ready waiting scheduled retry held heldBy attempts completed finished finishedBefore dead deadBy deaths deadCounts redriven suppressed trash history results unique uniqueUntil config counters minutes events changes audit operations inflight
-- ARGV: of a chunk (chunk.lua) or of named jobs (selection.lua)
-- REPLY: of a chunk; or per named job: 1 deleted, 0 in flight, -1 no such job
-- Loaded before anything is removed: a key of another type must stop the script first.
local change_log = require('queues.change_log')
local death_index = require('dead.death_index')
local finished_ids = require('jobs.finished_ids')
local held_jobs = require('jobs.held_jobs')
local job_removal = require('jobs.job_removal')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local redriven_jobs = require('operations.redriven_jobs')
local selection = require('operations.selection')
local unique_keys = require('jobs.unique_keys')
-- Entries of the removed jobs; see finished_ids.lua.
local left = {}
-- False when there is no such job.
local function remove(id, row)
  local _, _, _, jobType, tenant, unique = job_row.parse(row or '')
  -- A completed job's size is on the books.
  local result = redis.call('ZSCORE', keys.completed, id) and redis.call('HGET', keys.results, id)
  if result then redis.call('HINCRBY', keys.counters, 'completedBytes', -job_removal.result_size(result)) end
  local removed = redis.call('ZREM', keys.ready, id) + redis.call('ZREM', keys.scheduled, id) + redis.call('ZREM', keys.retry, id)
    + redis.call('ZREM', keys.completed, id) + redis.call('ZREM', keys.suppressed, id) + redis.call('ZREM', keys.trash, id) > 0
  if not (removed or held_jobs.remove(id, jobType or 'unknown', tenant or 'unknown') or death_index.remove(id)) then return false end
  redis.call('ZREM', keys.waiting, id)
  redriven_jobs.settle(id, 'deleted')
  unique_keys.free(unique, id, 'cd')
  left[#left + 1], left[#left + 2] = id, finished_ids.format(finished_ids.token_end(result and string.match(result, '^(%S+)') or '-'), tenant)
  return true
end
local jobs = selection.open({ 'ready', keys.ready, 'held', keys.held, 'scheduled', keys.scheduled, 'retry', keys.retry,
  'completed', keys.completed, 'dead', keys.dead, 'suppressed', keys.suppressed, 'trashed', keys.trash }, true)
if not jobs then return queue.commit(selection.refused()) end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('ZREM', keys.ready, '')
local gone = {}
for i = 1, #jobs.ids do
  if remove(jobs.ids[i], jobs.rows[i]) then gone[#gone + 1] = jobs.ids[i] else selection.skip(jobs, i, 'changed') end
end
if #gone > 0 then
  job_removal.delete(gone, left)
  if not jobs.op then
    -- Nothing else is left of them to say who did it.
    change_log.add('delete', jobs.by, #gone .. ' jobs', table.concat(gone, ' ', 1, math.min(#gone, 20)))
  end
end
return queue.commit(selection.finish(jobs, 'deleted', gone, function(id) return redis.call('ZSCORE', keys.inflight, id) and 0 or -1 end))
