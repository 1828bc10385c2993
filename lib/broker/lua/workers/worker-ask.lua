-- Asks one worker to take no new jobs, to take them again, or to end. Its heartbeat reads it.
-- KEYS: workersInfo workersRequests workersAudit
-- ARGV: clock, worker id, action, action and start of the worker (what its row begins with), actor and reason as JSON, its state, its start and its queues as its report has them
-- REPLY: 1 asked; 0 the same is asked already; -1 it has been asked to stop; -2 it is gone, or another one has its id
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
audit_event.open(keys.workersAudit)
local start = string.match(ARGV[4], ' (%S+)$')
-- Rights were decided for the queues of that very worker.
local worker = redis.call('HGET', keys.workersInfo, ARGV[2]) or ''
if not string.find(worker, ARGV[7], 1, true) or not string.find(worker, ARGV[8], 1, true) then return -2 end
local old = redis.call('HGET', keys.workersRequests, ARGV[2]) or ''
local asked, for_start = string.match(old, '^(%S+) (%S+) ')
if for_start == start then
  if asked == ARGV[3] then return 0 end
  if asked == 'stop' then return -1 end
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.workersRequests, ARGV[2])
redis.call('HSET', keys.workersRequests, ARGV[2], string.format('%s %.0f %s', ARGV[4], clock.now, ARGV[5]))
audit_event.add(keys.workersAudit, 'worker.' .. ARGV[3], ARGV[5], { kind = 'worker', id = ARGV[2], before = ARGV[6], after = ARGV[3] })
return 1
