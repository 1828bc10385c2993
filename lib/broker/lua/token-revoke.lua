-- Takes an API token back: for its owner, or for somebody who may take those of others.
-- KEYS: accessTokens accessTokenEnds accessShares accessAudit
-- ARGV: clock, id, whose it must be ('' for anybody's), json (who and why)
-- REPLY: 1 revoked, 0 no such token
--@include audit
--@include tokens
local token = token_of(ARGV[2])
if not token or (ARGV[3] ~= '' and token.owner ~= ARGV[3]) then return 0 end
audit_opens(K_accessAudit)
drop_token(ARGV[2])
audit(K_accessAudit, 'token.revoke', ARGV[4], { kind = 'token', id = ARGV[2], before = token.about })
return 1
