-- Adds jobs with ids made for this call to a queue without limits: the usual case of enqueue.lua in one straight line, with its effects. Jobs with an idempotency key come by enqueue-keyed.lua.
-- KEYS: jobs ready waiting config counters minutes events wake
-- ARGV: clock, how the producer believes that the queue is sharded ("<generation> <count> <by>"; '0': never), the priority of each job, separated by spaces ('': all 0); then per job: id, row
-- REPLY: 1: all are ready; 0: only enqueue.lua knows what to do here, and nothing was changed
local new_jobs = require('jobs.new_jobs')
return new_jobs.enter()
