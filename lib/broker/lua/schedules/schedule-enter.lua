-- Deals with slots of a schedule: enters their jobs, or counts them as passed over, and moves the fence on in the same step.
-- KEYS: occurrences jobs ready waiting inflight scheduled retry held idempotency idempotencyDue config limits fair counters minutes events wake
-- ARGV: clock, schedule id, generation, when its record was read, first and last slot dealt with, how many of them to pass over first, 1 to leave out a slot while the job before is to be done, entered and skipped so far, last job so far, then per slot to enter (oldest first, at most 50): slot, job id, row
-- REPLY: status, generation, last slot, last job, outcome, entered, skipped. Status: 1 done; 0 the fence is at or past the first slot; -1 a later generation is here; -2 the record was read too long ago; -3 a slot is in the future
local fence = require('schedules.fence')
local idempotency_keys = require('jobs.idempotency_keys')
local keys = require('keys')
local past_runs = require('schedules.past_runs')
local queue = require('queue')
local ready_order = require('jobs.ready_order')
local id, generation, from, to = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local at, slot, job, outcome, entered, skipped = fence.parse(redis.call('HGET', keys.occurrences, id))
local function answer(status) return { status, at, slot, job, outcome, entered, skipped } end
if generation < at then return queue.commit(answer(-1)) end
if slot >= from then return queue.commit(answer(0)) end
-- Fences of deleted schedules stay for a day. A scheduler that slept that long must not enter jobs.
if queue.now - tonumber(ARGV[4]) > 3600000 then return queue.commit(answer(-2)) end
if to > queue.now then return queue.commit(answer(-3)) end
if generation > at then
  at, job, entered, skipped = generation, ARGV[11], tonumber(ARGV[9]), tonumber(ARGV[10])
end
local config = redis.call('HMGET', keys.config, 'draining', 'depthLimit')
local limit = tonumber(config[2] or 0)
-- All that is written later is read first: a key of another type ends the script here, before half a job is in.
redis.call('ZCARD', keys.waiting)
redis.call('HLEN', keys.counters)
redis.call('HLEN', keys.minutes)
redis.call('HLEN', keys.jobs)
redis.call('HLEN', keys.idempotency)
redis.call('ZCARD', keys.idempotencyDue)
local depth = redis.call('ZCARD', keys.ready) + redis.call('ZCARD', keys.scheduled) + redis.call('ZCARD', keys.retry) + redis.call('ZCARD', keys.held)
local fresh = {}
local function to_be_done(other)
  return other == fresh[#fresh] or redis.call('ZSCORE', keys.ready, other) or redis.call('ZSCORE', keys.inflight, other)
    or redis.call('ZSCORE', keys.scheduled, other) or redis.call('ZSCORE', keys.retry, other) or redis.call('ZSCORE', keys.held, other)
end
local runs = {}
local passed = tonumber(ARGV[7])
if passed > 0 then
  skipped = skipped + passed
  outcome = 'missed'
  runs[1] = { from, 'missed', passed, '-' }
end
for i = 12, #ARGV, 3 do
  if ARGV[8] == '1' and job ~= '-' and to_be_done(job) then
    outcome = 'overlap'
  elseif config[1] or (limit > 0 and depth >= limit) then
    outcome = 'refused'
  else
    outcome = 'entered'
    job = ARGV[i + 1]
    -- It exists when the fence was lost and the job was not: then it is this very slot's.
    if redis.call('HSETNX', keys.jobs, job, ARGV[i + 2]) == 1 then
      fresh[#fresh + 1] = job
      idempotency_keys.add({ job, ARGV[i + 2] })
      depth = depth + 1
    end
  end
  if outcome == 'entered' then entered = entered + 1 else skipped = skipped + 1 end
  runs[#runs + 1] = { tonumber(ARGV[i]), outcome, 1, outcome == 'entered' and job or '-' }
end
slot = to
if #fresh > 0 then
  ready_order.append(fresh)
  queue.count('enqueued', #fresh)
  queue.emit('ready', fresh)
  queue.wake()
end
past_runs.add(id, runs)
fence.save(id, generation, slot, job, outcome, entered, skipped)
return queue.commit(answer(1))
