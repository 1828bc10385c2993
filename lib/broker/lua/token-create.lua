-- Enters an API token, if there is room.
-- KEYS: accessTokens accessTokenEnds accessShares accessAudit
-- ARGV: clock, id, digest, owner, the token as JSON, ms until it ends, json (who), whose share it takes (see include/shares)
-- REPLY: now, when it ends; or -1, why, ceiling: there are too many
--@include audit
--@include tokens
local id, owner = ARGV[2], ARGV[4]
audit_opens(K_accessAudit)
redis.call('HDEL', K_accessTokens, '')
for _, old in ipairs(redis.call('ZRANGEBYSCORE', K_accessTokenEnds, '-inf', now, 'LIMIT', 0, 50)) do drop_token(old) end
local mine, over = {}, nil
for one in string.gmatch(redis.call('HGET', K_accessTokens, 'of:' .. owner) or '', '%x+') do
  local token = token_of(one)
  if token and one ~= id then
    mine[#mine + 1] = one
    if token.ends <= now then over = over or #mine end
  end
end
local ask = share_ask(ARGV[8])
local why = share_refused(K_accessShares, ask, redis.call('ZCARD', K_accessTokenEnds))
-- One that is over makes room before anybody is refused.
if why == 'user' and over then
  drop_token(table.remove(mine, over))
  why = share_refused(K_accessShares, ask, redis.call('ZCARD', K_accessTokenEnds))
end
if why then return { -1, why, 'tokens' } end
mine[#mine + 1] = id
local token = { created = string.format('%.0f', now), ends = now + ARGV[6], used = 0, digest = ARGV[3], owner = owner, address = '', about = ARGV[5] }
save_token(id, token)
share_take(K_accessShares, ask, id)
redis.call('HSET', K_accessTokens, 'of:' .. owner, table.concat(mine, ' '))
audit(K_accessAudit, 'token.create', ARGV[7], { kind = 'token', id = id, after = ARGV[5] })
return { now, token.ends }
