-- Reads a token, its owner and the owner's grants. Writes nothing.
-- KEYS: accessTokens accessUsers accessGrants
-- ARGV: clock, id, digest of what its bearer holds
-- REPLY: now, then 0: no such token, -1: it ended, 1: valid, 2: valid, and token-touch should record its use; then its row, its owner's, and that of their grants
local clock = require('redis.clock')
local keys = require('keys')
local tokens = require('access.tokens')
local token = tokens.read(ARGV[2])
if not token or token.digest ~= ARGV[3] then return { clock.now, 0 } end
if token.ends <= clock.now then return { clock.now, -1 } end
return { clock.now, clock.now - token.used >= 60000 and 2 or 1, redis.call('HGET', keys.accessTokens, ARGV[2]),
  redis.call('HGET', keys.accessUsers, token.owner) or '', redis.call('HGET', keys.accessGrants, token.owner) or '' }
