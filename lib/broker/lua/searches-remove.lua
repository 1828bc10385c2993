-- Forgets a saved search.
-- KEYS: searchesRecords searchesAudit
-- ARGV: clock, id, json (who and why), what it was
-- REPLY: 1 forgotten, 0 there is none
--@include audit
audit_opens(K_searchesAudit)
if redis.call('HDEL', K_searchesRecords, ARGV[2]) == 0 then return 0 end
audit(K_searchesAudit, 'search.remove', ARGV[3], { kind = 'search', id = ARGV[2], before = ARGV[4] })
return 1
