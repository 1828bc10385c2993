-- Keeps a saved search: a new one while there is room, or in the place of its older self.
-- KEYS: searchesRecords
-- ARGV: clock, id, the search as JSON, how many there may be
-- REPLY: 1 saved, -1 there are too many
if redis.call('HEXISTS', K_searchesRecords, ARGV[2]) == 0
  and redis.call('HLEN', K_searchesRecords) >= tonumber(ARGV[4]) then return -1 end
-- A removal comes first: replacing must work just when memory is full.
redis.call('HDEL', K_searchesRecords, ARGV[2])
redis.call('HSET', K_searchesRecords, ARGV[2], ARGV[3])
return 1
