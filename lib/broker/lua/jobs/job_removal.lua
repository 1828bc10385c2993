-- Deletes every row of jobs that left all states, and counts the jobs in the ledger. Their ids are remembered, so that a resend does not
-- run them again. `left`: ids and entries for finished_ids, in turn; default: every job, not as completed.
-- Larger rows are not read for their tenant: it stays unknown.
local claim_row = require('rows.claim_row')
local finished_ids = require('jobs.finished_ids')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local resend_window = require('jobs.resend_window')
local ROW_READ_MAX = 4096
local function tenant_of(id)
  if redis.call('HSTRLEN', keys.jobs, id) > ROW_READ_MAX then return '?' end
  local _, _, _, _, tenant = job_row.parse(redis.call('HGET', keys.jobs, id) or '')
  return tenant or '?'
end
local function delete(ids, left)
  if not left then
    left = {}
    for i = 1, #ids do left[2 * i - 1], left[2 * i] = ids[i], finished_ids.format('-', tenant_of(ids[i])) end
  end
  redis.call('HDEL', keys.jobs, unpack(ids))
  redis.call('HDEL', keys.results, unpack(ids))
  -- Most jobs never failed, and most queues have few that did.
  if redis.call('EXISTS', keys.attempts, keys.history, keys.deaths) > 0 then
    redis.call('HDEL', keys.attempts, unpack(ids))
    redis.call('HDEL', keys.history, unpack(ids))
    redis.call('HDEL', keys.deaths, unpack(ids))
  end
  queue.count('deleted', #ids)
  finished_ids.add(left)
end
-- The entries for finished_ids of jobs that ended within the resend window. `entries`: ids and times of end, in turn.
local function recent(entries)
  local left, horizon = {}, queue.now - resend_window.length()
  for i = 1, #entries, 2 do
    if tonumber(entries[i + 1]) > horizon then
      left[#left + 1] = entries[i]
      left[#left + 1] = finished_ids.format('-', tenant_of(entries[i]))
    end
  end
  return left
end
-- The size of a completed job: its row and its result.
local function result_size(result)
  return (string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ (%d+) ') or 0) + #result
end
-- Whether a job that ended then is still to be recognised when it is sent again.
local function is_recent(at)
  return tonumber(at or 0) > queue.now - resend_window.length()
end
-- The same as delete, for completed jobs, which `completedBytes` counts. `times`: ids and the times they ended at in turn, or false:
-- all of them recently.
local function delete_completed(ids, times)
  local n = #ids
  if n == 0 then return 0 end
  local rows, bytes, left = redis.call('HMGET', keys.results, unpack(ids)), 0, {}
  for i = 1, n do
    local row, ended = rows[i] or '', finished_ids.format('-')
    local claim = claim_row.start_of(row)
    local size, tenant = string.match(row, '^(%d+) (%S+) ', claim and claim.upto or 1)
    if claim then
      claim.ended = claim.ended or finished_ids.token_end(claim.token)
      ended = finished_ids.format(claim.ended, tenant)
    end
    bytes = bytes + #row + (claim and size or 0)
    if not times or is_recent(times[2 * i]) then left[#left + 1], left[#left + 2] = ids[i], ended end
  end
  -- Without rows there are no bytes, and Redis does not take -0.
  if bytes > 0 then redis.call('HINCRBY', keys.counters, 'completedBytes', -bytes) end
  delete(ids, left)
  queue.emit('trimmed', ids)
  return n
end
return { delete = delete, recent = recent, result_size = result_size, is_recent = is_recent, delete_completed = delete_completed }
