-- Enters a preview among those of its user. Of more than so many the oldest leave: whoever confirms one looked at it lately.
-- KEYS: operationsShares
-- ARGV: clock, the user, token of the preview, how many are kept
-- REPLY: tokens of those that leave
local field, tokens, gone = 'previews ' .. ARGV[2], {}, {}
for token in string.gmatch(redis.call('HGET', K_operationsShares, field) or '', '%x+') do tokens[#tokens + 1] = token end
while #tokens >= tonumber(ARGV[4]) do gone[#gone + 1] = table.remove(tokens, 1) end
tokens[#tokens + 1] = ARGV[3]
-- A removal comes first, even of nothing: purging must work just when memory is full.
redis.call('HDEL', K_operationsShares, field)
redis.call('HSET', K_operationsShares, field, table.concat(tokens, ' '))
return gone
