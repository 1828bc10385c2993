-- The state of one job, without its rows.
-- KEYS: ready inflight scheduled retry held completed dead suppressed trash
-- ARGV: clock, id
-- REPLY: state ('' when there is no such job), score
local job_state = require('jobs.job_state')
local state, score = job_state.find(ARGV[2])
return { state or '', score or '' }
