-- Carries records into the audit log, if it still ends where the caller saw it end: of several collectors one does it, and none twice.
-- What was taken from which outbox is noted in the same step. May also let go of the oldest entries: then the log begins later.
-- KEYS: auditEntries auditHead
-- ARGV: clock, number and hash of the newest entry as they were read ('0' and '' for none), then number, hash and key as they shall be, where the log begins (number and hash of the last entry that is gone; '' as it was; at most 500 go), how many outboxes, per outbox: its name, what was taken of it last; then per entry (at most 200) its text
-- REPLY: 1 done; 0 somebody was faster; -1 and a number: entries up to that one were there once, go on behind it
local head = redis.call('HMGET', K_auditHead, 'n', 'hash')
if (head[1] or '0') ~= ARGV[2] or (head[2] or '') ~= ARGV[3] then return { 0 } end
local first = 10 + 2 * tonumber(ARGV[9])
local n = tonumber(ARGV[4]) - (#ARGV - first + 1)
-- Redis takes no entry below the highest it ever had: somebody took entries away, and set the head back.
local newest = 0
if redis.call('EXISTS', K_auditEntries) == 1 then
  local info = redis.call('XINFO', 'STREAM', K_auditEntries)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then newest = tonumber(string.match(info[i + 1], '^%d+')) end
  end
end
if newest > n then return { -1, newest } end
-- A removal comes first, even of nothing: what was done is recorded when memory is full, too.
redis.call('HDEL', K_auditHead, '')
if ARGV[7] ~= '' then
  redis.call('XTRIM', K_auditEntries, 'MINID', string.format('%.0f-0', tonumber(ARGV[7]) + 1))
  redis.call('HSET', K_auditHead, 'base', ARGV[7], 'baseHash', ARGV[8])
end
for i = first, #ARGV do
  n = n + 1
  redis.call('XADD', K_auditEntries, string.format('%.0f-0', n), 'e', ARGV[i])
end
for i = 10, first - 1, 2 do redis.call('HSET', K_auditHead, 'from:' .. ARGV[i], ARGV[i + 1]) end
redis.call('HSET', K_auditHead, 'n', ARGV[4], 'hash', ARGV[5], 'key', ARGV[6])
return { 1 }
