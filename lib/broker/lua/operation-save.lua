-- Writes an operation's record if it still is what the writer read: two runners cannot overwrite each other. The field ".open" names
-- those that have not ended, so that a console finds what is to be done without reading all that ever was.
-- KEYS: operationsIndex operationsRecords operationsShares operationsAudit
-- ARGV: clock, operation id, created at, the record as it was read ('' for a new one), the record as it shall be, 1 while it has not ended, the jobs it is about when they were fixed one by one ('' otherwise, and after the first time), for a new one: whose shares it takes (see include/shares; '' otherwise); when somebody does this: json (who and why), action, queue ('' several), filter, before, after, count
-- REPLY: 1 saved, 0 it was changed meanwhile; or -1, why, ceiling: too many are open
--@include audit
--@include shares
if ARGV[9] then audit_opens(K_operationsAudit) end
local id, before = ARGV[2], ARGV[4]
if (redis.call('HGET', K_operationsRecords, id) or '') ~= before then return 0 end
local open, others, known = redis.call('HGET', K_operationsRecords, '.open') or '', {}, false
for one in string.gmatch(open, '%S+') do
  if one == id then known = true else others[#others + 1] = one end
end
local opens = before == '' and ARGV[6] == '1'
local asks = opens and share_asks(ARGV[8]) or {}
for _, ask in ipairs(asks) do
  local why = share_refused(K_operationsShares, ask, ask.ceiling == 'operations' and #others or 0)
  if why then return { -1, why, ask.ceiling } end
end
-- A removal comes first, even of nothing: purging must work just when memory is full.
redis.call('HDEL', K_operationsRecords, '')
redis.call('HSET', K_operationsRecords, id, ARGV[5])
redis.call('ZADD', K_operationsIndex, ARGV[3], id)
if ARGV[7] ~= '' then redis.call('HSET', K_operationsRecords, id .. ' jobs', ARGV[7]) end
if known ~= (ARGV[6] == '1') then
  if ARGV[6] == '1' then others[#others + 1] = id end
  redis.call('HSET', K_operationsRecords, '.open', table.concat(others, ' '))
end
for _, ask in ipairs(asks) do share_take(K_operationsShares, ask, id) end
if ARGV[6] ~= '1' then
  share_give(K_operationsShares, 'operations', id)
  share_give(K_operationsShares, 'exports', id)
end
if ARGV[9] then
  audit(K_operationsAudit, ARGV[10], ARGV[9], { kind = 'operation', id = id, queue = ARGV[11], filter = ARGV[12],
    before = ARGV[13], after = ARGV[14], count = ARGV[15] })
end
return 1
