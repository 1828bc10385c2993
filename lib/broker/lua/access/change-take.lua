-- Pays for audit events before they are recorded: out of the share of a user, whom this refuses when their share has less
-- room, and in the name of the queues they are about: the log takes so many of their events without asking further.
-- KEYS: accessUserAttempts accessPaid
-- ARGV: clock, digest of the user ('' one without a limit), limit, period in ms, most users, most queues, how many events, 1 to refuse what does not fit (0: to count it beyond the limit), then per queue: its name, how many of them
-- REPLY: 1 paid or 0 refused, ms until the period of the user ends, when it ends
local attempt_table = require('access.attempt_table')
local clock = require('redis.clock')
local keys = require('keys')
local who, more, ends, count = ARGV[2], tonumber(ARGV[7]), clock.now, 0
if who ~= '' then
  ends, count = attempt_table.present(keys.accessUserAttempts, who, ARGV[4])
  if ARGV[8] == '1' and count + more > tonumber(ARGV[3]) then return { 0, ends - clock.now, ends } end
  attempt_table.write(keys.accessUserAttempts, who, ends, count + more, ARGV[5])
end
for i = 9, #ARGV, 2 do
  local over, paid = attempt_table.present(keys.accessPaid, ARGV[i], ARGV[4])
  attempt_table.write(keys.accessPaid, ARGV[i], over, paid + ARGV[i + 1], ARGV[6])
end
return { 1, ends - clock.now, ends }
