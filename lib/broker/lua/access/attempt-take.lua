-- Counts an attempt, such as a sign-in, unless there were too many in this period.
-- KEYS: accessAttempts accessNetworkAttempts accessUserAttempts
-- ARGV: clock, digest of the name, address or user, limit, period in ms, most rows, which table (1 names, 2 addresses, 3 users), how many to count
-- REPLY: 1 counted or 0 refused, ms until the period ends
-- Separate tables: addresses cost nothing and must not push out names.
local attempt_table = require('access.attempt_table')
local clock = require('redis.clock')
local keys = require('keys')
local key = ({ keys.accessAttempts, keys.accessNetworkAttempts, keys.accessUserAttempts })[tonumber(ARGV[6])]
local who, more = ARGV[2], tonumber(ARGV[7])
local ends, count = attempt_table.present(key, who, ARGV[4])
if count + more > tonumber(ARGV[3]) then return { 0, ends - clock.now } end
attempt_table.write(key, who, ends, count + more, ARGV[5])
return { 1, ends - clock.now }
