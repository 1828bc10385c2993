-- Adds jobs. Idempotent by job id: a resend finds the same row and changes nothing, whatever the queue's limits say by then.
-- KEYS: jobs ready waiting scheduled retry held unique uniqueUntil fair limits config counters minutes events wake
-- ARGV: clock, then per job: id, row, and '' for one of priority 0, for now, critical and not unique; else "<priority> <due> <extra>": due in ms since 1970, "+<ms>" from now, or 0 for at once; extra begins with "n" when it is not critical, and then says what is unique about it. At the end, of a queue whose sharding was ever set, "<generation> <count> <by>"
-- REPLY: per job: 1 ready, 2 scheduled, 0 duplicate (same row content), -1 conflict (another row under that id), -2 not unique, -3 full, -4 shed, -5 draining; then jobs waiting, the depth limit (0: none), and who owns the key of each that is not unique. Error RESHARDED: the queue is sharded otherwise by now, nothing was entered
local args = #ARGV
--@include enter
return replies
