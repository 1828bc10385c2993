-- Replaces what people said of a failure group, unless somebody else has just done so.
-- KEYS: groupsNotes
-- ARGV: clock, group, the note it is based on ('' for none), the note ('' to forget it), most notes there may be
-- REPLY: 1 written, 0 it has changed meanwhile, -1 there are too many
local had = redis.call('HGET', K_groupsNotes, ARGV[2]) or ''
if had ~= ARGV[3] then return 0 end
if ARGV[4] == '' then
  redis.call('HDEL', K_groupsNotes, ARGV[2])
  return 1
end
if had == '' and redis.call('HLEN', K_groupsNotes) >= tonumber(ARGV[5]) then return -1 end
redis.call('HSET', K_groupsNotes, ARGV[2], ARGV[4])
return 1
