-- All there is to know about one job.
-- KEYS: jobs ready inflight scheduled retry held completed dead suppressed trash claims attempts history results deaths redriven
-- ARGV: clock, id
-- REPLY: now, state ('' when there is no such job), score, row, claims row, attempts row, history, results row, row of deaths, row of redriven, jobs before it in ready ('' when it is not ready)
local clock = require('redis.clock')
local job_state = require('jobs.job_state')
local keys = require('keys')
local id = ARGV[2]
local state, score = job_state.find(id)
return { clock.now, state or '', score or '', redis.call('HGET', keys.jobs, id) or '', redis.call('HGET', keys.claims, id) or '',
  redis.call('HGET', keys.attempts, id) or '', redis.call('HGET', keys.history, id) or '', redis.call('HGET', keys.results, id) or '',
  redis.call('HGET', keys.deaths, id) or '', redis.call('HGET', keys.redriven, id) or '',
  state == 'ready' and redis.call('ZRANK', keys.ready, id) or '' }
