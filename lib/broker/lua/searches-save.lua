-- Keeps a saved search: a new one while there is room, or in the place of its older self.
-- KEYS: searchesRecords searchesAudit
-- ARGV: clock, id, the search as JSON, how many there may be, json (who and why), before ('' a new one) and after in words, how many
--   there were when its owner's were counted
-- REPLY: 1 saved, -1 there are too many, -2 others came or went since they were counted
--@include audit
audit_opens(K_searchesAudit)
if redis.call('HEXISTS', K_searchesRecords, ARGV[2]) == 0 then
  local count = redis.call('HLEN', K_searchesRecords)
  if count >= tonumber(ARGV[4]) then return -1 end
  if count ~= tonumber(ARGV[8]) then return -2 end
end
-- A removal comes first: replacing must work just when memory is full.
redis.call('HDEL', K_searchesRecords, ARGV[2])
redis.call('HSET', K_searchesRecords, ARGV[2], ARGV[3])
audit(K_searchesAudit, 'search.save', ARGV[5], { kind = 'search', id = ARGV[2], before = ARGV[6], after = ARGV[7] })
return 1
