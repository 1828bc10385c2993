-- Pending audit events of one stream behind the last event that was taken. Forgets the taken events except the last, which numbers the
-- next event. A producer's or worker's Redis user can write events of any size, so the script reads one event at a time, ends a read that
-- is large, and cuts each text before it leaves Redis.
-- KEYS: index
-- ARGV: clock, id of the last event that was taken ('' none), how many at most (1..200), 1 to forget the taken events
-- REPLY: events (id, known fields, bytes: 0, or the size of an event that is too large, of which only field n is returned), how many there are in all
local audit_fields = require('audit.audit_fields')
local keys = require('keys')
-- The largest event of the writer has 26 texts and about 45 KB.
local TEXTS_MAX, EVENT_MAX_BYTES, READ_MAX_BYTES = 64, 65536, 262144
local known = { n = 20, at = 20, action = 100, by = 8000 }
for _, field in ipairs(audit_fields.FIELDS) do known[field] = 4000 end
local taken = ARGV[2]
if ARGV[4] == '1' and taken ~= '' then redis.call('XTRIM', keys.index, 'MINID', taken) end
local function bytes_of(texts)
  local bytes = 0
  for i = 1, math.min(#texts, TEXTS_MAX) do bytes = bytes + #texts[i] end
  return #texts > TEXTS_MAX and math.max(bytes, EVENT_MAX_BYTES + 1) or bytes
end
local function shortened(texts)
  local fields = {}
  for i = 1, #texts, 2 do
    local field, value = texts[i], texts[i + 1]
    local limit = known[field]
    if limit then
      fields[#fields + 1] = field
      fields[#fields + 1] = limit == 4000 and audit_fields.cut(value) or string.sub(value, 1, limit)
    end
  end
  return fields
end
local events, read, is_end = {}, 0, false
local from = taken == '' and '-' or '(' .. taken
for _ = 1, tonumber(ARGV[3]) do
  local event = redis.call('XRANGE', keys.index, from, '+', 'COUNT', 1)[1]
  if not event then
    is_end = true
    break
  end
  local id, texts = event[1], event[2]
  local bytes = bytes_of(texts)
  -- The writer's first field is n.
  if bytes > EVENT_MAX_BYTES then
    events[#events + 1] = { id, { 'n', string.sub(texts[2], 1, known.n) }, bytes }
  else
    events[#events + 1] = { id, shortened(texts), 0 }
  end
  read, from = read + bytes, '(' .. id
  if read >= READ_MAX_BYTES then break end
end
return { events, is_end and #events or redis.call('XLEN', keys.index) }
