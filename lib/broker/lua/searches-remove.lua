-- Forgets a saved search.
-- KEYS: searchesRecords searchesShares searchesAudit
-- ARGV: clock, id, json (who and why), what it was
-- REPLY: 1 forgotten, 0 there is none
--@include audit
--@include shares
audit_opens(K_searchesAudit)
if redis.call('HDEL', K_searchesRecords, ARGV[2]) == 0 then return 0 end
share_give(K_searchesShares, 'searches', ARGV[2])
audit(K_searchesAudit, 'search.remove', ARGV[3], { kind = 'search', id = ARGV[2], before = ARGV[4] })
return 1
