-- Records when a token was used last, and from which address: once a minute at most.
-- KEYS: accessTokens accessTokenEnds
-- ARGV: clock, id, digest, address
-- REPLY: 1 noted, 0 not
local clock = require('redis.clock')
local tokens = require('access.tokens')
local token = tokens.read(ARGV[2])
if not token or token.digest ~= ARGV[3] or clock.now - token.used < 60000 then return 0 end
token.used, token.address = clock.now, ARGV[4]
tokens.save(ARGV[2], token)
return 1
