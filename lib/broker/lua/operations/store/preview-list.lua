-- Adds a preview to the list of its user. Beyond the limit the oldest leave: a preview is confirmed soon after it was made.
-- KEYS: operationsShares
-- ARGV: clock, the user, token of the preview, limit
-- REPLY: tokens of previews that leave
local keys = require('keys')
local field, tokens, gone = 'previews ' .. ARGV[2], {}, {}
for token in string.gmatch(redis.call('HGET', keys.operationsShares, field) or '', '%x+') do tokens[#tokens + 1] = token end
while #tokens >= tonumber(ARGV[4]) do gone[#gone + 1] = table.remove(tokens, 1) end
tokens[#tokens + 1] = ARGV[3]
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.operationsShares, field)
redis.call('HSET', keys.operationsShares, field, table.concat(tokens, ' '))
return gone
