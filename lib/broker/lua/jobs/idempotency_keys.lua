-- idempotency: key -> ids of the newest jobs that came in with it, newest first; idempotencyDue: key by when its jobs are looked for again.
-- A finder's hint, not a promise: no removal of a job pays for it. Maintenance forgets keys without jobs, readers look at the rows.
local clock = require('redis.clock')
local keys = require('keys')
local KEYS_MAX, IDS_MAX, FIRST_MS, AGAIN_MS = 500000, 20, 60000, 900000
-- As it stands in the row, escaped as JSON; nil: the job has none.
local function of_row(row)
  local line = string.match(row, '^[^\n]*\n([^\n]*)\n') or ''
  local _, upto = string.find(line, ',"key":"', 1, true)
  local from = upto and upto + 1
  local at = from
  for _ = 1, at and #line or 0 do
    at = string.find(line, '["\\]', at)
    if not at then return nil end
    if string.byte(line, at) == 34 then return string.sub(line, from, at - 1) end
    at = at + 2
  end
  return nil
end
-- `rows`: from `first` on, ids and rows in turn, the newest last.
local function add(rows, first)
  local names, ids_of = {}, {}
  for i = first or 1, #rows, 2 do
    local key = of_row(rows[i + 1])
    local ids = key and ids_of[key]
    if ids then
      ids[#ids + 1] = rows[i]
    elseif key then
      names[#names + 1], ids_of[key] = key, { rows[i] }
    end
  end
  if #names == 0 then return end
  local known, room = redis.call('HMGET', keys.idempotency, unpack(names)), KEYS_MAX - redis.call('HLEN', keys.idempotency)
  local fields, due = {}, {}
  for i = 1, #names do
    if not known[i] then room = room - 1 end
    if known[i] or room >= 0 then
      local all, ids, seen = ids_of[names[i]], {}, {}
      for j = #all, math.max(1, #all - IDS_MAX + 1), -1 do
        ids[#ids + 1], seen[all[j]] = all[j], true
      end
      for other in string.gmatch(known[i] or '', '%S+') do
        if not seen[other] and #ids < IDS_MAX then ids[#ids + 1] = other end
      end
      fields[#fields + 1], fields[#fields + 2] = names[i], table.concat(ids, ' ')
      due[#due + 1], due[#due + 2] = clock.now + FIRST_MS, names[i]
    end
  end
  if #fields == 0 then return end
  redis.call('HSET', keys.idempotency, unpack(fields))
  redis.call('ZADD', keys.idempotencyDue, unpack(due))
end
-- Looks for the jobs of keys that are due, at most `most`. Most jobs are gone soon; those that stay are looked for seldom.
-- If one of the two was lost, both go: nothing would find their ends.
local function forget(most)
  if redis.call('HLEN', keys.idempotency) ~= redis.call('ZCARD', keys.idempotencyDue) then
    redis.call('UNLINK', keys.idempotency, keys.idempotencyDue)
    return false
  end
  local due = redis.call('ZRANGE', keys.idempotencyDue, '-inf', clock.now, 'BYSCORE', 'LIMIT', 0, most)
  if #due == 0 then return false end
  local rows, gone, again = redis.call('HMGET', keys.idempotency, unpack(due)), {}, {}
  for i = 1, #due do
    local ids = {}
    for id in string.gmatch(rows[i] or '', '%S+') do
      if redis.call('HEXISTS', keys.jobs, id) == 1 then ids[#ids + 1] = id end
    end
    if #ids == 0 then
      gone[#gone + 1] = due[i]
    else
      again[#again + 1], again[#again + 2] = clock.now + AGAIN_MS, due[i]
      local left = table.concat(ids, ' ')
      if left ~= rows[i] then redis.call('HSET', keys.idempotency, due[i], left) end
    end
  end
  if #gone > 0 then
    redis.call('HDEL', keys.idempotency, unpack(gone))
    redis.call('ZREM', keys.idempotencyDue, unpack(gone))
  end
  if #again > 0 then redis.call('ZADD', keys.idempotencyDue, unpack(again)) end
  return #due >= most
end
return { add = add, forget = forget }
