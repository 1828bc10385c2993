-- Adds jobs for somebody: as enqueue, with a record for the audit log of what came in. A resend that changes nothing leaves none.
-- KEYS: jobs ready waiting scheduled retry held unique uniqueUntil finished finishedBefore fair limits config counters minutes events wake audit
-- ARGV: clock, then as for enqueue; behind that: json (who and why), action, kind and id of what it is done to ('' for the jobs themselves)
-- REPLY: per job: 1 ready, 2 scheduled, 0 duplicate (same row content), -1 conflict (another row under that id), -2 not unique, -3 full, -4 shed, -5 draining, -6 sent first before all that is remembered; then jobs waiting, the depth limit (0: none), and who owns the key of each that is not unique. Error RESHARDED: the queue is sharded otherwise by now, nothing was entered
--@include audit
audit_opens(K_audit)
local args = #ARGV - 4
--@include enter
if came > 0 then
  local some = #fresh > 0 and fresh or late
  local job = ARGV[#ARGV - 1] == ''
  audit(K_audit, ARGV[#ARGV - 2], ARGV[#ARGV - 3], { kind = job and 'job' or ARGV[#ARGV - 1], id = job and some[1] or ARGV[#ARGV],
    count = came, after = table.concat(some, ' ', 1, math.min(#some, 20)) })
end
return replies
