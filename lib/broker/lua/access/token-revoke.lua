-- Revokes an API token: for its owner, or for an administrator.
-- KEYS: accessTokens accessTokenEnds accessShares accessAudit
-- ARGV: clock, id, owner it must have ('' for any), actor and reason as JSON
-- REPLY: 1 revoked, 0 no such token
local audit_event = require('audit.audit_event')
local keys = require('keys')
local tokens = require('access.tokens')
local token = tokens.read(ARGV[2])
if not token or (ARGV[3] ~= '' and token.owner ~= ARGV[3]) then return 0 end
audit_event.open(keys.accessAudit)
tokens.remove(ARGV[2])
audit_event.add(keys.accessAudit, 'token.revoke', ARGV[4], { kind = 'token', id = ARGV[2], before = token.about })
return 1
