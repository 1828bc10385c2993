-- Adds jobs. Idempotent by job id: a resend finds the same row and changes nothing, whatever the queue's limits say by then.
-- KEYS: jobs ready waiting scheduled retry held unique uniqueUntil idempotency idempotencyDue finished finishedBefore fair limits config counters minutes events wake
-- ARGV: clock, then per job: id, row, and '' for one of priority 0, for now, critical and not unique; else "<priority> <due> <extra>": due in ms since 1970, "+<ms>" from now, or 0 for at once; extra begins with "t<ms>,", the time since the job was first sent, if its producer knows it (refused when that is more than is remembered), goes on with "k" when it has an idempotency key, then with "n" when it is not critical, and then names its uniqueness. At the end "n" when every id was made for this call and never sent before, else "r"; and right behind it, where the sharding of the queue was ever set, "<generation> <count> <by>"
-- REPLY: per job: 1 ready, 2 scheduled, 0 duplicate (same row content, or it left the queue lately), -1 conflict (another row under that id), -2 not unique, -3 full, -4 shed, -5 draining, -6 sent first before all that is remembered; then jobs waiting, the depth limit (0: none), and who owns the key of each that is not unique. Error RESHARDED: the queue is sharded otherwise by now, nothing was entered
local job_entry = require('jobs.job_entry')
local queue = require('queue')
local replies = job_entry.enter(#ARGV)
return queue.commit(replies)
