-- Saves, replaces or forgets a saved search.
-- KEYS: searchesRecords searchesShares searchesAudit
-- ARGV: clock, id, the search as JSON ('' to forget it), share it takes (see access/shares.lua; '' when it is forgotten), actor and reason as JSON, before ('' a new one) and after in words
-- REPLY: 1 done, 0 there is none to forget; or -1, why, ceiling: there are too many
local audit_event = require('audit.audit_event')
local keys = require('keys')
local shares = require('access.shares')
audit_event.open(keys.searchesAudit)
local id, record, ask = ARGV[2], ARGV[3], shares.parse(ARGV[4])
if ask and redis.call('HEXISTS', keys.searchesRecords, id) == 0 then
  local why = shares.refusal(keys.searchesShares, ask, redis.call('HLEN', keys.searchesRecords))
  if why then return { -1, why, 'searches' } end
end
-- A removal first, so that this works when memory is full (ADR 11).
local removed = redis.call('HDEL', keys.searchesRecords, id)
if record == '' then
  if removed == 0 then return 0 end
  shares.give_back(keys.searchesShares, 'searches', id)
else
  redis.call('HSET', keys.searchesRecords, id, record)
  shares.take(keys.searchesShares, ask, id)
end
audit_event.add(keys.searchesAudit, record == '' and 'search.remove' or 'search.save', ARGV[5], { kind = 'search', id = id, before = ARGV[6], after = ARGV[7] })
return 1
