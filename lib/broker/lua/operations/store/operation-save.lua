-- Writes an operation's record if it still is what the writer read: two runners cannot overwrite each other. The field ".open" names
-- operations that have not ended, so that a console finds its work without reading all others.
-- KEYS: operationsIndex operationsRecords operationsShares operationsAudit
-- ARGV: clock, operation id, created at, the record as it was read ('' for a new one), the record as it shall be, '1' while it has not ended, 'undo' when it has and can be undone, else '0', the jobs it is about when they were fixed one by one ('' otherwise, and after the first time), for a new one: shares it takes (see access/shares.lua; '' otherwise); when somebody does this: actor and reason as JSON, action, queue ('' several), filter, before, after, count
-- REPLY: 1 saved, 0 it was changed meanwhile; or -1, why, ceiling: too many are open
local audit_event = require('audit.audit_event')
local keys = require('keys')
local shares = require('access.shares')
if ARGV[9] then audit_event.open(keys.operationsAudit) end
local id, before = ARGV[2], ARGV[4]
if (redis.call('HGET', keys.operationsRecords, id) or '') ~= before then return 0 end
local open, others, known = redis.call('HGET', keys.operationsRecords, '.open') or '', {}, false
for one in string.gmatch(open, '%S+') do
  if one == id then known = true else others[#others + 1] = one end
end
local opens = before == '' and ARGV[6] == '1'
local asks = opens and shares.parse_all(ARGV[8]) or {}
for _, ask in ipairs(asks) do
  local why = shares.refusal(keys.operationsShares, ask, ask.ceiling == 'operations' and #others or 0)
  if why then return { -1, why, ask.ceiling } end
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('HDEL', keys.operationsRecords, '')
redis.call('HSET', keys.operationsRecords, id, ARGV[5])
redis.call('ZADD', keys.operationsIndex, ARGV[3], id)
if ARGV[7] ~= '' then redis.call('HSET', keys.operationsRecords, id .. ' jobs', ARGV[7]) end
if known ~= (ARGV[6] == '1') then
  if ARGV[6] == '1' then others[#others + 1] = id end
  redis.call('HSET', keys.operationsRecords, '.open', table.concat(others, ' '))
end
for _, ask in ipairs(asks) do shares.take(keys.operationsShares, ask, id) end
if ARGV[6] ~= '1' then
  shares.give_back(keys.operationsShares, 'operations', id)
  shares.give_back(keys.operationsShares, 'exports', id)
  if ARGV[6] == '0' then shares.give_back(keys.operationsShares, 'undos', id) end
end
if ARGV[9] then
  audit_event.add(keys.operationsAudit, ARGV[10], ARGV[9], { kind = 'operation', id = id, queue = ARGV[11], filter = ARGV[12],
    before = ARGV[13], after = ARGV[14], count = ARGV[15] })
end
return 1
