-- Enters an API token, if there is room.
-- KEYS: accessTokens accessTokenEnds accessShares accessAudit
-- ARGV: clock, id, digest, owner, the token as JSON, ms until it ends, actor as JSON, share it takes (see access/shares.lua)
-- REPLY: now, when it ends; or -1, why, ceiling: there are too many
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
local shares = require('access.shares')
local tokens = require('access.tokens')
local id, owner = ARGV[2], ARGV[4]
audit_event.open(keys.accessAudit)
redis.call('HDEL', keys.accessTokens, '')
for _, old in ipairs(redis.call('ZRANGEBYSCORE', keys.accessTokenEnds, '-inf', clock.now, 'LIMIT', 0, 50)) do tokens.remove(old) end
local mine, over = {}, nil
for one in string.gmatch(redis.call('HGET', keys.accessTokens, 'of:' .. owner) or '', '%x+') do
  local token = tokens.read(one)
  if token and one ~= id then
    mine[#mine + 1] = one
    if token.ends <= clock.now then over = over or #mine end
  end
end
local ask = shares.parse(ARGV[8])
local why = shares.refusal(keys.accessShares, ask, redis.call('ZCARD', keys.accessTokenEnds))
-- One that is over makes room before anybody is refused.
if why == 'user' and over then
  tokens.remove(table.remove(mine, over))
  why = shares.refusal(keys.accessShares, ask, redis.call('ZCARD', keys.accessTokenEnds))
end
if why then return { -1, why, 'tokens' } end
mine[#mine + 1] = id
local token = { created = string.format('%.0f', clock.now), ends = clock.now + ARGV[6], used = 0, digest = ARGV[3], owner = owner, address = '', about = ARGV[5] }
tokens.save(id, token)
shares.take(keys.accessShares, ask, id)
redis.call('HSET', keys.accessTokens, 'of:' .. owner, table.concat(mine, ' '))
audit_event.add(keys.accessAudit, 'token.create', ARGV[7], { kind = 'token', id = id, after = ARGV[5] })
return { clock.now, token.ends }
