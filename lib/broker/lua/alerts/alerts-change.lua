-- Changes alerts, silences and messages, if they still are what the writer read.
-- KEYS: alertsState alertsLive alertsEnded alertsSilences alertsShares alertsMessages alertsAttempts alertsTimes alertsDue alertsChannels alertsMade alertsAudit
-- ARGV: clock, version as read, time of the look ('' for a change by a user), bounds of ended alerts, messages and waiting ones, status of a waiting message that is given up; when a user does this (else ''): action, actor and reason as JSON, kind, id, queue, before, after; then changes of six words: 'live' code record ('' deletes) - - -, 'ended' record - - - -, 'silence' id record ('' deletes) the share it takes ('' none: see access/shares.lua) - -, 'channel' name record ('' deletes) - - -, 'removedIds' ids between spaces - - - -, 'message' id record status at due ('' it is settled)
-- REPLY: 1 changed, 0 another process was first; or -1, why, ceiling: there are too many silences
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
local shares = require('access.shares')
if ARGV[8] ~= '' then audit_event.open(keys.alertsAudit) end
if (redis.call('HGET', keys.alertsState, 'version') or '0') ~= ARGV[2] then return 0 end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('ZREM', keys.alertsDue, '')
-- Silences that end make room for the one that begins, even when the script then refuses it.
for i = 15, #ARGV, 6 do
  if ARGV[i] == 'silence' and ARGV[i + 2] == '' then
    redis.call('HDEL', keys.alertsSilences, ARGV[i + 1])
    shares.give_back(keys.alertsShares, 'silences', ARGV[i + 1])
  end
end
for i = 15, #ARGV, 6 do
  local ask = ARGV[i] == 'silence' and ARGV[i + 3] ~= '' and shares.parse(ARGV[i + 3])
  if ask then
    local why = shares.refusal(keys.alertsShares, ask, redis.call('HLEN', keys.alertsSilences))
    if why then return { -1, why, ask.ceiling } end
    shares.take(keys.alertsShares, ask, ARGV[i + 1])
  end
end
redis.call('HINCRBY', keys.alertsState, 'version', 1)
if ARGV[3] ~= '' then redis.call('HSET', keys.alertsState, 'lookAt', ARGV[3], 'lookedAt', clock.text) end
for i = 15, #ARGV, 6 do
  local what, id, record = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if what == 'live' then
    if record == '' then redis.call('HDEL', keys.alertsLive, id) else redis.call('HSET', keys.alertsLive, id, record) end
  elseif what == 'silence' then
    if record ~= '' then redis.call('HSET', keys.alertsSilences, id, record) end
  elseif what == 'channel' then
    if record == '' then
      redis.call('HDEL', keys.alertsMade, id)
      redis.call('HDEL', keys.alertsChannels, 'latest ' .. id, 'beat ' .. id)
    else
      redis.call('HSET', keys.alertsMade, id, record)
    end
  elseif what == 'removedIds' then
    redis.call('HSET', keys.alertsState, 'removedIds', id)
  elseif what == 'ended' then
    redis.call('XADD', keys.alertsEnded, 'MAXLEN', ARGV[4], '*', 'alert', id)
  else
    redis.call('HSET', keys.alertsMessages, id, record)
    redis.call('HSET', keys.alertsAttempts, id, ARGV[i + 3])
    redis.call('ZADD', keys.alertsTimes, ARGV[i + 4], id)
    if ARGV[i + 5] ~= '' then redis.call('ZADD', keys.alertsDue, ARGV[i + 5], id) end
  end
end
local waiting = math.min(redis.call('ZCARD', keys.alertsDue) - tonumber(ARGV[6]), 500)
if waiting > 0 then
  for _, id in ipairs(redis.call('ZRANGE', keys.alertsDue, 0, waiting - 1)) do
    redis.call('HSET', keys.alertsAttempts, id, ARGV[7])
    redis.call('ZREM', keys.alertsDue, id)
  end
end
local old = math.min(redis.call('ZCARD', keys.alertsTimes) - tonumber(ARGV[5]), 500)
if old > 0 then
  for _, id in ipairs(redis.call('ZRANGE', keys.alertsTimes, 0, old - 1)) do
    redis.call('HDEL', keys.alertsMessages, id)
    redis.call('HDEL', keys.alertsAttempts, id)
    redis.call('ZREM', keys.alertsTimes, id)
    redis.call('ZREM', keys.alertsDue, id)
  end
end
if ARGV[8] ~= '' then
  audit_event.add(keys.alertsAudit, ARGV[8], ARGV[9], { kind = ARGV[10], id = ARGV[11], queue = ARGV[12], before = ARGV[13], after = ARGV[14] })
end
return 1
