-- Puts dead or suppressed jobs back to ready: attempts start anew, deliveries go on, and history says who and why. An operation marks
-- them as driven by it, with their deaths, so that their end is counted and they can be recalled as they were.
-- KEYS: jobs ready waiting attempts dead deadBy deaths deadCounts suppressed history unique uniqueUntil fair limits config counters minutes events wake changes audit operations redriven
-- ARGV: of a chunk (chunk.lua), with kind `edit` and what it does to each job as extra: "skip <reason>"; "key": only if it has an idempotency key; or "row <its row as it shall be>"; or of named jobs (selection.lua)
-- REPLY: of a chunk; or per named job: 1 ready, 0 in another state, -1 no such job, -2 its deadline has passed, -3 its row is unreadable, -4 another job has its uniqueness key
local attempt_row = require('rows.attempt_row')
local death_index = require('dead.death_index')
local history_log = require('rows.history_log')
local job_reader = require('jobs.job_reader')
local keys = require('keys')
local queue = require('queue')
local ready_order = require('jobs.ready_order')
local redrive_rules = require('operations.redrive_rules')
local selection = require('operations.selection')
local unique_keys = require('jobs.unique_keys')
-- `ids` are dead or suppressed, and nothing speaks against them. `logs`, `deaths`: theirs, in the same order; `edited`: whole rows with
-- edited payloads, false for none; `dead`: all of them are dead.
local function redrive(ids, logs, deaths, kind, json, edited, dead)
  if #ids == 0 then return end
  local before = redis.call('HMGET', keys.attempts, unpack(ids))
  death_index.remove_all(ids, deaths, dead)
  if not dead then redis.call('ZREM', keys.suppressed, unpack(ids)) end
  redis.call('HDEL', keys.deaths, unpack(ids))
  local attempts, history, changed, priorities, tenants, lines = {}, {}, {}, {}, {}, {}
  for i = 1, #ids do
    local id = ids[i]
    local _, deliveries, _, redrives, token = attempt_row.parse(before[i])
    -- Most have been delivered as often as the one before.
    local line = lines[deliveries] or history_log.format(kind, deliveries, 0, '-', '-', '-', json)
    lines[deliveries] = line
    attempts[2 * i - 1], attempts[2 * i] = id, attempt_row.format('0', deliveries, '0', redrives == '0' and '1' or string.format('%d', redrives + 1), token)
    history[2 * i - 1], history[2 * i] = id, history_log.append(logs[i], line)
    priorities[i], tenants[i] = redrive_rules.priority_of[id], redrive_rules.tenant_of[id]
    if redrive_rules.unique_of[id] then unique_keys.take(redrive_rules.unique_of[id], id) end
    if edited and edited[i] then
      changed[#changed + 1] = id
      changed[#changed + 1] = edited[i]
    end
  end
  if #changed > 0 then redis.call('HSET', keys.jobs, unpack(changed)) end
  redis.call('HSET', keys.attempts, unpack(attempts))
  redis.call('HSET', keys.history, unpack(history))
  ready_order.add(ids, ready_order.scores(priorities, tenants, redis.call('HGET', keys.config, 'fair')))
end
local jobs = selection.open({ 'dead', keys.dead, 'suppressed', keys.suppressed }, true)
if not jobs then return queue.commit(selection.refused()) end
local known, knownRows = death_index.read_all(jobs.ids)
local going, edited, deaths, deathRows, owners = {}, {}, {}, {}, {}
for i = 1, #jobs.ids do
  local extra = jobs.extra and jobs.extra(jobs.places[i]) or ''
  -- One that died again of this very operation, by a clock that went back, was counted when it was moved.
  local again = jobs.op and known[i] and known[i].operation == jobs.op
  local reason = again or extra ~= '' and string.match(extra, '^skip (%S+)$') or not jobs.op and not jobs.rows[i] and 'missing'
    or redrive_rules.refusal(jobs.ids[i], jobs.rows[i], owners, extra == 'key')
  if not reason then
    local n = #going + 1
    going[n], deaths[n], deathRows[n] = i, known[i], knownRows[i]
    edited[n] = extra ~= '' and string.match(extra, '^row (.*)$') or false
  elseif not again then
    selection.skip(jobs, i, reason)
  end
end
local moved = job_reader.pick(jobs.ids, going)
redrive(moved, job_reader.pick(jobs.logs, going), deaths, jobs.kind == 'edit' and 'edited' or 'redriven', jobs.by, edited, jobs.isDead)
if #moved > 0 then
  if jobs.op then
    local redriven_jobs = require('operations.redriven_jobs')
    redriven_jobs.add(moved, jobs.op, deathRows)
  end
  queue.count('redriven', #moved)
  queue.wake()
end
return queue.commit(selection.finish(jobs, 'redriven', moved, function(id) return redis.call('HEXISTS', keys.jobs, id) - 1 end))
