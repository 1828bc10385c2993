-- Notes when a token was used last, and from where: once a minute at most.
-- KEYS: accessTokens accessTokenEnds accessShares
-- ARGV: clock, id, digest, address
-- REPLY: 1 noted, 0 not
--@include now
--@include tokens
local token = token_of(ARGV[2])
if not token or token.digest ~= ARGV[3] or now - token.used < 60000 then return 0 end
token.used, token.address = now, ARGV[4]
save_token(ARGV[2], token)
return 1
