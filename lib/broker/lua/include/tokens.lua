--@include token-row
-- Besides its row a token stands in `of:<owner>`, the ids of an owner's tokens, and in `tokenEnds`, by when its row may go: 30 days after
-- its end, so that whoever wonders why something stopped finds out.
local function save_token(id, token)
  redis.call('HDEL', K_accessTokens, id)
  redis.call('HSET', K_accessTokens, id, string.format('%s %.0f %.0f %s\n%s\n%s\n%s', token.created, token.ends, token.used,
    token.digest, token.owner, token.address, token.about))
  redis.call('ZADD', K_accessTokenEnds, string.format('%.0f', token.ends + 2592000000), id)
end
local function drop_token(id)
  local token = token_of(id)
  redis.call('HDEL', K_accessTokens, id)
  redis.call('ZREM', K_accessTokenEnds, id)
  if not token then return end
  local mine, others = 'of:' .. token.owner, {}
  for one in string.gmatch(redis.call('HGET', K_accessTokens, mine) or '', '%x+') do
    if one ~= id then others[#others + 1] = one end
  end
  redis.call('HDEL', K_accessTokens, mine)
  if #others > 0 then redis.call('HSET', K_accessTokens, mine, table.concat(others, ' ')) end
end
