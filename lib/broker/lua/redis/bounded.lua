-- A producer's or worker's Redis user writes the keys of its queue without Redrive: as many fields and bytes as it likes. What the console
-- reads whole is measured before it leaves Redis. A reply that is too large becomes an error, and the queue is shown as unreadable.
local function oversized(what)
  return redis.error_reply('OVERSIZED ' .. what .. ', which Redrive never writes: find out which Redis user did, and delete it.')
end
-- All fields of a hash; nil and the error when there are more than `most`.
local function hash(key, most)
  local fields = redis.call('HLEN', key)
  if fields > most then return nil, oversized(key .. ' has ' .. fields .. ' fields') end
  return redis.call('HGETALL', key)
end
local function bytes_of(reply)
  local bytes = 0
  for i = 1, #reply do
    local item = reply[i]
    if type(item) == 'string' then bytes = bytes + #item elseif type(item) == 'table' then bytes = bytes + bytes_of(item) end
  end
  return bytes
end
-- The reply, or the error when its texts have more than `most` bytes. `key`: that was read, alone or with others of its queue.
local function reply(value, most, key)
  local bytes = bytes_of(value)
  return bytes > most and oversized('a reading of ' .. key .. ' has ' .. bytes .. ' bytes') or value
end
-- A stored text as it leaves Redis: a larger text than Redrive writes becomes `instead`, or counts as missing.
local function text(value, most, instead)
  if not value then return '' end
  return #value <= most and value or instead or ''
end
return { hash = hash, reply = reply, text = text }
