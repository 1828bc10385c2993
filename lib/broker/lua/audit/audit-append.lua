-- Appends events to the audit log, if it still ends where the caller read its end: one of several collectors does it, and once.
-- What was taken from which outbox, and how many of its events were left out, is noted in the same step. May also let go of the oldest entries: then the log begins later.
-- KEYS: auditEntries auditHead
-- ARGV: clock, number and hash of the newest entry and number of the writing before, as they were read ('0', '' and '' for none), then number, hash and key as they shall be, where the log begins (number and hash of the last entry that is gone; '' as it was; at most 500 go), how many fields of the head, per field: its name, its value; then per entry (at most 200) its text
-- REPLY: 1 done; 0 another collector was faster; -1 and a number: entries up to this number existed once, go on behind it
local keys = require('keys')
local head = redis.call('HMGET', keys.auditHead, 'n', 'hash', 'writing')
if (head[1] or '0') ~= ARGV[2] or (head[2] or '') ~= ARGV[3] or (head[3] or '') ~= ARGV[4] then return { 0 } end
local first = 11 + 2 * tonumber(ARGV[10])
local n = tonumber(ARGV[5]) - (#ARGV - first + 1)
-- Redis takes no entry below the highest it ever had: somebody took entries away, and set the head back.
local newest = 0
if redis.call('EXISTS', keys.auditEntries) == 1 then
  local info = redis.call('XINFO', 'STREAM', keys.auditEntries)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then newest = tonumber(string.match(info[i + 1], '^%d+')) end
  end
end
if newest > n then return { -1, newest } end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.auditHead, '')
if ARGV[8] ~= '' then
  redis.call('XTRIM', keys.auditEntries, 'MINID', string.format('%.0f-0', tonumber(ARGV[8]) + 1))
  redis.call('HSET', keys.auditHead, 'base', ARGV[8], 'baseHash', ARGV[9])
end
for i = first, #ARGV do
  n = n + 1
  redis.call('XADD', keys.auditEntries, string.format('%.0f-0', n), 'e', ARGV[i])
end
for i = 11, first - 1, 2 do redis.call('HSET', keys.auditHead, ARGV[i], ARGV[i + 1]) end
-- Also a writing without an entry keeps others from theirs.
redis.call('HSET', keys.auditHead, 'n', ARGV[5], 'hash', ARGV[6], 'key', ARGV[7], 'writing', string.format('%.0f', (tonumber(ARGV[4]) or 0) + 1))
return { 1 }
