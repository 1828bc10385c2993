-- Adds a mark to the charts. Sent again, by its id, it is found among the newest hundred and stays as it is.
-- KEYS: queuesMarks queuesAudit
-- ARGV: clock, id, kind, text, version ('' for none), queues between spaces ('' for all), actor and reason as JSON, the most there may be, the mark as JSON, its queue if it is one ('' otherwise)
-- REPLY: time of the mark, how many there are; or -1, 0: the id is of another mark
local audit_event = require('audit.audit_event')
local clock = require('redis.clock')
local keys = require('keys')
audit_event.open(keys.queuesAudit)
local newest = redis.call('XREVRANGE', keys.queuesMarks, '+', '-', 'COUNT', 100)
for _, entry in ipairs(newest) do
  if entry[2][2] == ARGV[2] then
    for i, field in ipairs({ 4, 6, 8, 10 }) do
      if entry[2][field] ~= ARGV[i + 2] then return { -1, 0 } end
    end
    return { tonumber(string.match(entry[1], '^%d+')), 0 }
  end
end
-- Its time is its id, and never before that of the mark before: Redis takes no other.
local at, sequence = clock.now, 0
if newest[1] then
  local last, place = string.match(newest[1][1], '^(%d+)-(%d+)$')
  if tonumber(last) >= at then at, sequence = tonumber(last), tonumber(place) + 1 end
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
redis.call('XDEL', keys.queuesMarks, '0-1')
local mark = string.format('%.0f-%.0f', at, sequence)
redis.call('XADD', keys.queuesMarks, 'MAXLEN', ARGV[8], mark,
  'id', ARGV[2], 'kind', ARGV[3], 'text', ARGV[4], 'version', ARGV[5], 'queues', ARGV[6], 'by', ARGV[7])
audit_event.add(keys.queuesAudit, 'mark.add', ARGV[7], { kind = 'mark', id = mark, queue = ARGV[10], after = ARGV[9] })
return { at, redis.call('XLEN', keys.queuesMarks) }
