-- Keeps a saved search: a new one while there is room, or in the place of its older self.
-- KEYS: searchesRecords searchesShares searchesAudit
-- ARGV: clock, id, the search as JSON, whose share it takes (see include/shares), json (who and why), before ('' a new one) and after in words
-- REPLY: 1 saved; or -1, why, ceiling: there are too many
--@include audit
--@include shares
audit_opens(K_searchesAudit)
local ask = share_ask(ARGV[4])
if redis.call('HEXISTS', K_searchesRecords, ARGV[2]) == 0 then
  local why = share_refused(K_searchesShares, ask, redis.call('HLEN', K_searchesRecords))
  if why then return { -1, why, 'searches' } end
end
-- A removal comes first: replacing must work just when memory is full.
redis.call('HDEL', K_searchesRecords, ARGV[2])
redis.call('HSET', K_searchesRecords, ARGV[2], ARGV[3])
share_take(K_searchesShares, ask, ARGV[2])
audit(K_searchesAudit, 'search.save', ARGV[5], { kind = 'search', id = ARGV[2], before = ARGV[6], after = ARGV[7] })
return 1
