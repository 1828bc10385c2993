-- Keeps a saved search: a new one while there is room, or in the place of its older self.
-- KEYS: searchesRecords searchesAudit
-- ARGV: clock, id, the search as JSON, how many there may be, json (who and why), before ('' a new one) and after in words, owner, how many an owner may have
-- REPLY: 1 saved, -1 there are too many, -2 the owner has too many
--@include audit
local function how_many(owner)
  local count = 0
  for _, row in ipairs(redis.call('HVALS', K_searchesRecords)) do
    -- What cannot be read is nobody's.
    local ok, search = pcall(cjson.decode, row)
    if ok and type(search) == 'table' and (search.ownerId or search.owner) == owner then count = count + 1 end
  end
  return count
end
audit_opens(K_searchesAudit)
if redis.call('HEXISTS', K_searchesRecords, ARGV[2]) == 0 then
  if how_many(ARGV[8]) >= tonumber(ARGV[9]) then return -2 end
  if redis.call('HLEN', K_searchesRecords) >= tonumber(ARGV[4]) then return -1 end
end
-- A removal comes first: replacing must work just when memory is full.
redis.call('HDEL', K_searchesRecords, ARGV[2])
redis.call('HSET', K_searchesRecords, ARGV[2], ARGV[3])
audit(K_searchesAudit, 'search.save', ARGV[5], { kind = 'search', id = ARGV[2], before = ARGV[6], after = ARGV[7] })
return 1
