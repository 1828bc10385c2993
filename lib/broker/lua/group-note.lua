-- Replaces what people said of a failure group, unless somebody else has just done so.
-- KEYS: groupsNotes groupsAudit
-- ARGV: clock, group, the note it is based on ('' for none), the note ('' to forget it), most notes there may be, json (who and why), before and after in words
-- REPLY: 1 written, 0 it has changed meanwhile, -1 there are too many
--@include audit
audit_opens(K_groupsAudit)
local had = redis.call('HGET', K_groupsNotes, ARGV[2]) or ''
if had ~= ARGV[3] then return 0 end
if ARGV[4] ~= '' and had == '' and redis.call('HLEN', K_groupsNotes) >= tonumber(ARGV[5]) then return -1 end
-- A removal comes first: what is said of a group must be changeable when memory is full, too.
redis.call('HDEL', K_groupsNotes, ARGV[2])
if ARGV[4] ~= '' then redis.call('HSET', K_groupsNotes, ARGV[2], ARGV[4]) end
audit(K_groupsAudit, 'group.change', ARGV[6], { kind = 'group', id = ARGV[2], before = ARGV[7], after = ARGV[8] })
return 1
