-- What waits in an outbox of the audit log behind the last record that was taken from it. Forgets those taken, but for the last one:
-- it tells the next record its number.
-- KEYS: index
-- ARGV: clock, id of the last record that was taken ('' none), how many at most (1..200), 1 to forget those taken
-- REPLY: records (id, fields), how many there are in all
local keys = require('keys')
local taken = ARGV[2]
if ARGV[4] == '1' and taken ~= '' then redis.call('XTRIM', keys.index, 'MINID', taken) end
local records = redis.call('XRANGE', keys.index, taken == '' and '-' or '(' .. taken, '+', 'COUNT', ARGV[3])
return { records, #records < tonumber(ARGV[3]) and #records or redis.call('XLEN', keys.index) }
