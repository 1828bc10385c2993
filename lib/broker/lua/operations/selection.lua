-- The jobs a script is about: a chunk of an operation (chunk.lua), or jobs that a user named by their ids.
-- ARGV of named jobs: clock, '' (no operation), actor and reason as JSON, kind, tenants that are meant (separated by spaces; empty: all), then ids.
local audit_event = require('audit.audit_event')
local job_reader = require('jobs.job_reader')
local keys = require('keys')
local queue = require('queue')
local is_chunk = ARGV[2] ~= ''
-- Of a chunk op_progress.lua does it.
if not is_chunk then audit_event.open(keys.audit) end
-- A job id may have been reused since the check: ids whose job now belongs to another tenant are dropped.
local function named_ids()
  local ids = { unpack(ARGV, 6) }
  if ARGV[5] == '' or #ids == 0 then return ids end
  local job_row = require('rows.job_row')
  local tenants = {}
  for tenant in string.gmatch(ARGV[5], '%S+') do tenants[tenant] = true end
  local rows = redis.call('HMGET', keys.jobs, unpack(ids))
  for i = 1, #ids do
    if rows[i] and not tenants[select(5, job_row.parse(rows[i])) or 'unknown'] then ids[i] = '' end
  end
  return ids
end
-- Those that are in one of these indexes, by their places, each once.
local function find(ids, sources)
  local found, seen = {}, {}
  for s = 2, #ids > 0 and #sources or 0, 2 do
    local key = sources[s]
    local scores = redis.call('ZMSCORE', key, unpack(ids))
    for i = 1, #ids do
      if scores[i] and not seen[ids[i]] then
        seen[ids[i]] = true
        found[#found + 1] = i
      end
    end
  end
  table.sort(found)
  return found
end
-- `sources`: the states jobs may be in, each with its index; `withRows`: their rows are wanted, not only their histories;
-- `stillClaimed`: which jobs of a chunk in flight are, by their places.
-- Nil when another runner was first; else ids, rows and logs of the jobs that did not move since they were read.
local function open(sources, withRows, stillClaimed)
  local ids, rows, logs, taken, places
  if is_chunk then
    local chunk = require('operations.chunk')
    if not chunk.begin() then return nil end
    ids = chunk.ids()
    if withRows then rows, logs, taken = job_reader.rows(ids, chunk.BYTES) else logs, taken = job_reader.histories(ids, chunk.BYTES) end
    local source = sources[2]
    for s = 1, #sources, 2 do
      if sources[s] == chunk.word then source = sources[s + 1] end
    end
    if chunk.word == 'in-flight' then
      places = stillClaimed(ids, taken)
    else
      places = chunk.unchanged(source, ids, taken, chunk.word == 'dead' and logs)
    end
    return { ids = job_reader.pick(ids, places), rows = rows and job_reader.pick(rows, places), logs = job_reader.pick(logs, places),
      extra = chunk.extra, places = places, taken = taken, by = chunk.by, kind = chunk.kind, op = chunk.op, state = chunk.word, isDead = chunk.word == 'dead' }
  end
  ids = named_ids()
  places = find(ids, sources)
  local here = job_reader.pick(ids, places)
  if withRows then rows, logs = job_reader.rows(here, math.huge) else logs = job_reader.histories(here, math.huge) end
  return { all = ids, ids = here, rows = rows, logs = logs, places = places, by = ARGV[3], kind = ARGV[4], codes = {} }
end
local function refused()
  local op_progress = require('operations.op_progress')
  return op_progress.reply(false, 0)
end
local CODES = { missing = -1, ['deadline-passed'] = -2, unreadable = -3, ['not-unique'] = -4 }
-- Leaves one of the jobs alone.
local function skip(jobs, i, reason)
  if is_chunk then
    local op_progress = require('operations.op_progress')
    op_progress.skip(reason, jobs.ids[i])
  else
    jobs.codes[jobs.places[i]] = CODES[reason] or 0
  end
end
-- The reply. `moved`: ids; `absent(id)`: the code of a named job that is in none of the states, 0 where it is left out.
local function finish(jobs, event, moved, absent)
  if is_chunk then
    local chunk = require('operations.chunk')
    return chunk.finish(jobs.taken, event, moved)
  end
  local replies = {}
  for i = 1, #jobs.all do replies[i] = absent and absent(jobs.all[i]) or 0 end
  for i = 1, #jobs.places do replies[jobs.places[i]] = jobs.codes[jobs.places[i]] or 1 end
  if #moved > 0 then
    local named = #moved > 1 and table.concat(moved, ' ', 1, math.min(#moved, 20)) or nil
    queue.emit(event, moved)
    audit_event.add(keys.audit, 'job.' .. jobs.kind, jobs.by, { kind = 'job', id = moved[1], after = named, count = #moved })
  end
  return replies
end
return { open = open, refused = refused, skip = skip, finish = finish }
