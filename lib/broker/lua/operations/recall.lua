-- Takes jobs that an operation put back, and that still wait, to the dead-letter queue again: as dead as they were, and no new
-- failure of their group.
-- KEYS: jobs ready waiting retry held heldBy attempts dead deadBy deaths deadCounts history redriven unique uniqueUntil events changes audit operations
-- ARGV: of a chunk, see operations/chunk.lua; word: the operation that put them back ('' for any)
-- REPLY: of a chunk, see operations/chunk.lua
local attempt_row = require('rows.attempt_row')
local chunk = require('operations.chunk')
local clock = require('redis.clock')
local death_index = require('dead.death_index')
local death_row = require('rows.death_row')
local held_jobs = require('jobs.held_jobs')
local history_log = require('rows.history_log')
local job_reader = require('jobs.job_reader')
local job_row = require('rows.job_row')
local keys = require('keys')
local op_progress = require('operations.op_progress')
local queue = require('queue')
local redriven_jobs = require('operations.redriven_jobs')
local unique_keys = require('jobs.unique_keys')
if not chunk.begin() then return queue.commit(op_progress.reply(false, 0)) end
local ids = chunk.ids()
local rows, logs, taken = job_reader.rows(ids, chunk.BYTES)
local driven = taken > 0 and redis.call('HMGET', keys.redriven, unpack(ids, 1, taken)) or {}
-- Where each waits, and its score there.
local places, scores, left = {}, {}, taken
for _, source in ipairs({ keys.ready, keys.retry, keys.held }) do
  local here = left > 0 and redis.call('ZMSCORE', source, unpack(ids, 1, taken)) or {}
  for i = 1, #here do
    if here[i] and not places[i] then places[i], scores[i], left = source, here[i], left - 1 end
  end
end
local going, deaths, ops = {}, {}, {}
for i = 1, taken do
  local by, death = string.match(driven[i] or '', '^(%S+) ?(.*)$')
  if by and (chunk.word == '' or by == chunk.word) and places[i] and tonumber(scores[i]) == tonumber(chunk.stamp(i)) then
    going[#going + 1] = i
    ops[#going] = by
    deaths[#going] = death_row.parse(death) or death_index.from_history(ids[i], clock.now)
  else
    op_progress.skip('changed', ids[i])
  end
end
local moved = job_reader.pick(ids, going)
if #moved > 0 then
  local before, tried = redis.call('HMGET', keys.attempts, unpack(moved)), {}
  redis.call('ZREM', keys.ready, unpack(moved))
  redis.call('ZREM', keys.waiting, unpack(moved))
  redis.call('ZREM', keys.retry, unpack(moved))
  for k = 1, #moved do
    local id = moved[k]
    local _, _, _, jobType, tenant, unique = job_row.parse(rows[going[k]] or '')
    if places[going[k]] == keys.held then held_jobs.remove(id, jobType or 'unknown', tenant or 'unknown') end
    unique_keys.free(unique, id, 'cd')
    deaths[k].operation = chunk.op
    local _, deliveries, losses, redrives, token = attempt_row.parse(before[k])
    tried[2 * k - 1], tried[2 * k] = id, attempt_row.format(deaths[k].attempt, deliveries or 0, losses or 0, redrives or 0, token or '-')
  end
  redriven_jobs.settle_all(moved, ops, 'recalled')
  redis.call('HSET', keys.attempts, unpack(tried))
  death_index.add_all(moved, deaths)
  history_log.add_all(moved, job_reader.pick(logs, going), history_log.format('recalled', 0, 0, '-', '-', '-', chunk.by))
end
return queue.commit(chunk.finish(taken, 'recalled', moved))
