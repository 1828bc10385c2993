-- Adds jobs for somebody: as enqueue, with a record for the audit log of what came in. A resend that changes nothing leaves none.
-- KEYS: jobs ready waiting scheduled retry held unique uniqueUntil idempotency idempotencyDue finished finishedBefore fair limits config counters minutes events wake audit
-- ARGV: clock, then as for enqueue; behind that: actor and reason as JSON, action, kind and id of what it is done to ('' for the jobs themselves)
-- REPLY: per job: 1 ready, 2 scheduled, 0 duplicate (same row content), -1 conflict (another row under that id), -2 not unique, -3 full, -4 shed, -5 draining, -6 sent first before all that is remembered; then jobs waiting, the depth limit (0: none), and who owns the key of each that is not unique. Error RESHARDED: the queue is sharded otherwise by now, nothing was entered
local audit_event = require('audit.audit_event')
local job_entry = require('jobs.job_entry')
local keys = require('keys')
local queue = require('queue')
audit_event.open(keys.audit)
local replies, came, ids = job_entry.enter(#ARGV - 4)
if came and came > 0 then
  local isJob = ARGV[#ARGV - 1] == ''
  audit_event.add(keys.audit, ARGV[#ARGV - 2], ARGV[#ARGV - 3], { kind = isJob and 'job' or ARGV[#ARGV - 1],
    id = isJob and ids[1] or ARGV[#ARGV], count = came, after = table.concat(ids, ' ', 1, math.min(#ids, 20)) })
end
return queue.commit(replies)
