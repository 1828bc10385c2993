-- The same as enqueue-new.lua for jobs of which some have an idempotency key.
-- KEYS: jobs ready waiting idempotency idempotencyDue config counters minutes events wake
-- ARGV: as of enqueue-new.lua
-- REPLY: as of enqueue-new.lua
local idempotency_keys = require('jobs.idempotency_keys')
local new_jobs = require('jobs.new_jobs')
if new_jobs.enter() == 0 then return 0 end
idempotency_keys.add(ARGV, 4)
return 1
