-- All there is to know about one job.
-- KEYS: jobs ready inflight scheduled retry held completed dead suppressed trash claims attempts history results
-- ARGV: clock, id
-- REPLY: now, state ('' when there is no such job), score, row, claims row, attempts row, history, results row
--@include now
--@include locate
local id = ARGV[2]
local state, score = locate(id)
return { now, state or '', score or '', redis.call('HGET', K_jobs, id) or '', redis.call('HGET', K_claims, id) or '',
  redis.call('HGET', K_attempts, id) or '', redis.call('HGET', K_history, id) or '', redis.call('HGET', K_results, id) or '' }
