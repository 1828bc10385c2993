-- Writes an operation's record if it still is what the writer read: two runners cannot overwrite each other. The field ".open" names
-- those that have not ended, so that a console finds what is to be done without reading all that ever was.
-- KEYS: operationsIndex operationsRecords operationsAudit
-- ARGV: clock, operation id, created at, the record as it was read ('' for a new one), the record as it shall be, 1 while it has not ended, the jobs it is about when they were fixed one by one ('' otherwise, and after the first time), how many may be open before a new one is refused; when somebody does this: json (who and why), action, queue ('' several), filter, before, after, count
-- REPLY: 1 saved, 0 it was changed meanwhile, -1 too many are open
--@include audit
if ARGV[9] then audit_opens(K_operationsAudit) end
local id, before = ARGV[2], ARGV[4]
if (redis.call('HGET', K_operationsRecords, id) or '') ~= before then return 0 end
local open, others, known = redis.call('HGET', K_operationsRecords, '.open') or '', {}, false
for one in string.gmatch(open, '%S+') do
  if one == id then known = true else others[#others + 1] = one end
end
if before == '' and ARGV[6] == '1' and #others >= tonumber(ARGV[8]) then return -1 end
-- A removal comes first, even of nothing: purging must work just when memory is full.
redis.call('HDEL', K_operationsRecords, '')
redis.call('HSET', K_operationsRecords, id, ARGV[5])
redis.call('ZADD', K_operationsIndex, ARGV[3], id)
if ARGV[7] ~= '' then redis.call('HSET', K_operationsRecords, id .. ' jobs', ARGV[7]) end
if known ~= (ARGV[6] == '1') then
  if ARGV[6] == '1' then others[#others + 1] = id end
  redis.call('HSET', K_operationsRecords, '.open', table.concat(others, ' '))
end
if ARGV[9] then
  audit(K_operationsAudit, ARGV[10], ARGV[9], { kind = 'operation', id = id, queue = ARGV[11], filter = ARGV[12],
    before = ARGV[13], after = ARGV[14], count = ARGV[15] })
end
return 1
