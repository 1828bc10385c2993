-- Takes back an attempt that does not count, such as a sign-in that succeeded.
-- KEYS: accessAttempts accessNetworkAttempts accessUserAttempts
-- ARGV: clock, digest of the name, address or user, which table (1 names, 2 addresses, 3 users)
-- REPLY: attempts that still count
local attempt_table = require('access.attempt_table')
local keys = require('keys')
local key = ({ keys.accessAttempts, keys.accessNetworkAttempts, keys.accessUserAttempts })[tonumber(ARGV[3])]
return attempt_table.give_back(key, ARGV[2], 1)
