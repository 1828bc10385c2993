-- Gives back what was paid for audit events that were not recorded after all.
-- KEYS: accessUserAttempts accessPaid
-- ARGV: clock, digest of the user ('' one without a limit), when the period ends in which it was paid, how many events, then per queue: its name, how many of them
-- REPLY: events that still count
local attempt_table = require('access.attempt_table')
local keys = require('keys')
local left = 0
if ARGV[2] ~= '' then left = attempt_table.give_back(keys.accessUserAttempts, ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[3])) end
for i = 5, #ARGV, 2 do attempt_table.give_back(keys.accessPaid, ARGV[i], tonumber(ARGV[i + 1])) end
return left
