-- Replaces what people said of a failure group, unless somebody else has just done so.
-- KEYS: groupsNotes groupsShares groupsAudit
-- ARGV: clock, group, the note it is based on ('' for none), the note ('' to forget it), whose share it takes (see include/shares), json (who and why), before and after in words
-- REPLY: 1 written, 0 it has changed meanwhile, or -1, why, ceiling: there are too many
--@include audit
--@include shares
audit_opens(K_groupsAudit)
local had = redis.call('HGET', K_groupsNotes, ARGV[2]) or ''
if had ~= ARGV[3] then return 0 end
local ask = share_ask(ARGV[5])
if ARGV[4] ~= '' and had == '' then
  local why = share_refused(K_groupsShares, ask, redis.call('HLEN', K_groupsNotes))
  if why then return { -1, why, 'notes' } end
end
-- A removal comes first: what is said of a group must be changeable when memory is full, too.
redis.call('HDEL', K_groupsNotes, ARGV[2])
if ARGV[4] ~= '' then
  redis.call('HSET', K_groupsNotes, ARGV[2], ARGV[4])
  share_take(K_groupsShares, ask, ARGV[2])
else
  share_give(K_groupsShares, 'notes', ARGV[2])
end
audit(K_groupsAudit, 'group.change', ARGV[6], { kind = 'group', id = ARGV[2], before = ARGV[7], after = ARGV[8] })
return 1
