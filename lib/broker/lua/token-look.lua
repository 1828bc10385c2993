-- What a token may do, and what is known of its owner at this moment. Writes nothing.
-- KEYS: accessTokens accessPeople accessGrants
-- ARGV: clock, id, digest of what its bearer holds
-- REPLY: now, then 0: no such token, -1: it is over, 1: it is good, 2: it is, and its use is to be noted (token-keep); then its row, its owner's, and that of what was given to them
--@include now
--@include token-row
local token = token_of(ARGV[2])
if not token or token.digest ~= ARGV[3] then return { now, 0 } end
if token.ends <= now then return { now, -1 } end
return { now, now - token.used >= 60000 and 2 or 1, redis.call('HGET', K_accessTokens, ARGV[2]),
  redis.call('HGET', K_accessPeople, token.owner) or '', redis.call('HGET', K_accessGrants, token.owner) or '' }
