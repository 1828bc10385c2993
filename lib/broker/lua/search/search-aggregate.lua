-- A part of what `deadCounts` says of the dead letters; see dead/dead_counts.lua.
-- KEYS: dead deadCounts events
-- ARGV: clock, where to go on ('' at the start), the stamp of what the caller has ('' for nothing), most fields of any use
-- REPLY: now, stamp (another one after any change), 1 when it can be relied on (0: it is being made anew, does not fit, or is too large), where to go on ('0' at the end; 'same' when the caller has it), then field and count
local clock = require('redis.clock')
local keys = require('keys')
local total, fields = redis.call('HGET', keys.deadCounts, '#') or '0', redis.call('HLEN', keys.deadCounts)
-- Whatever happens to a job is an event.
local last = redis.call('XREVRANGE', keys.events, '+', '-', 'COUNT', 1)[1]
local stamp = total .. ' ' .. fields .. ' ' .. (last and last[1] or '')
local fine = tonumber(total) == redis.call('ZCARD', keys.dead) and fields <= tonumber(ARGV[4]) and redis.call('HEXISTS', keys.deadCounts, '~') == 0
local reply = { clock.now, stamp, fine and 1 or 0, '0' }
if not fine then return reply end
if ARGV[2] == '' and ARGV[3] == stamp then
  reply[4] = 'same'
  return reply
end
local found = redis.call('HSCAN', keys.deadCounts, ARGV[2] == '' and '0' or ARGV[2], 'COUNT', 500)
reply[4] = found[1]
for i = 1, #found[2] do reply[#reply + 1] = found[2][i] end
return reply
