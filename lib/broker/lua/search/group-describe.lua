-- Replaces the note of a failure group, unless another user has just changed it.
-- KEYS: groupsNotes groupsShares groupsAudit
-- ARGV: clock, group, the note it is based on ('' for none), the note ('' to forget it), share it takes (see access/shares.lua), actor and reason as JSON, before and after in words
-- REPLY: 1 written, 0 it has changed meanwhile, or -1, why, ceiling: there are too many
local audit_event = require('audit.audit_event')
local keys = require('keys')
local shares = require('access.shares')
audit_event.open(keys.groupsAudit)
local had = redis.call('HGET', keys.groupsNotes, ARGV[2]) or ''
if had ~= ARGV[3] then return 0 end
local ask = shares.parse(ARGV[5])
if ARGV[4] ~= '' and had == '' then
  local why = shares.refusal(keys.groupsShares, ask, redis.call('HLEN', keys.groupsNotes))
  if why then return { -1, why, 'notes' } end
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.groupsNotes, ARGV[2])
if ARGV[4] ~= '' then
  redis.call('HSET', keys.groupsNotes, ARGV[2], ARGV[4])
  shares.take(keys.groupsShares, ask, ARGV[2])
else
  shares.give_back(keys.groupsShares, 'notes', ARGV[2])
end
audit_event.add(keys.groupsAudit, 'group.change', ARGV[6], { kind = 'group', id = ARGV[2], before = ARGV[7], after = ARGV[8] })
return 1
