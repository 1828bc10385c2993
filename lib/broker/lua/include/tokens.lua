--@include token-row
--@include leave-list
--@include shares
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
  share_give(K_accessShares, 'tokens', id)
  if not token then return end
  leave_list(K_accessTokens, token.owner, id)
end
