-- Enters jobs; see enqueue.lua. `args`: how many of ARGV are about the jobs. Leaves what to answer in `replies`, and what came in in `fresh`
-- (ready) and `late` (scheduled).
--@include tally
--@include emit
--@include row
--@include line
--@include unique
--@lazy remembered
--@lazy horizon
local replies, owners, ready, scheduled, fresh, late, duplicates = {}, {}, {}, {}, {}, {}, 0
-- Two rows are the same job when header, payload and payload reference are equal. The rest of the JSON line may differ from
-- one sending to the next: it holds the producer's clock and trace. `ref` is its last field; see encodeRow.
local function content(row)
  local head, json, payload = string.match(row, '^([^\n]*)\n([^\n]*)\n(.*)$')
  return head, payload, string.match(json or '', '"ref":.*$')
end
local config = redis.call('HMGET', K_config, 'draining', 'depthLimit', 'shedAtPercent', 'fair', 'sharding')
-- A producer with an older idea of how the queue is sharded would put the job where nobody looks for it.
local tail = args % 3 == 2 and ARGV[args] or 'r'
local sharding, known = #tail > 1 and string.sub(tail, 2) or '0', config[5] or '0'
-- Ids that were made for this call and never sent cannot have been here.
local resent = string.byte(tail) == 114
if sharding ~= known then
  local mine, newest = tonumber(string.match(sharding, '^%d+')), tonumber(string.match(known, '^%d+') or 0)
  if mine < newest then return redis.error_reply('RESHARDED this queue is sharded otherwise by now') end
  if mine > newest then
    redis.call('HSET', K_config, 'sharding', sharding)
    begin_horizon(now)
  end
end
local draining, fair = config[1], config[4]
local limit = tonumber(config[2] or 0)
local shedAt = config[3] and limit * tonumber(config[3]) / 100 or limit
local depth = 0
if limit > 0 then
  depth = redis.call('ZCARD', K_ready) + redis.call('ZCARD', K_scheduled) + redis.call('ZCARD', K_retry) + redis.call('ZCARD', K_held)
end
-- Why a job that is not known yet may not come in; nil when it may.
local function refusal(extra)
  if draining then return -5 end
  if limit > 0 and depth >= limit then return -3 end
  if limit > 0 and depth >= shedAt and string.byte(extra) == 110 then return -4 end
  local spec = string.match(extra, '^n?(%a:%d+:.+)$')
  local owner = spec and unique_owner(string.match(spec, '^%a:%d+:(.+)$'))
  if owner then
    owners[#owners + 1] = owner
    return -2
  end
  return nil
end
local guarded = limit > 0 or draining
-- How many of them came in, and how many of those are ready: asking a long list for its length costs as much as adding to it.
local came, atOnce = 0, 0
local jobs, ids, rows, seen, tenants = math.floor((args - 1) / 3), {}, {}, {}, {}
for i = 1, jobs do ids[i] = ARGV[3 * i - 1] end
local present = redis.call('HMGET', K_jobs, unpack(ids))
local left, horizon = {}, nil
if resent then
  local absent = {}
  for i = 1, jobs do
    if not present[i] then absent[#absent + 1] = ids[i] end
  end
  left = finished_among(absent)
end
for i = 1, jobs do
  local id, row, rest = ids[i], ARGV[3 * i], ARGV[3 * i + 1]
  -- Most jobs have nothing to say here.
  local priority, due, extra = '0', '0', ''
  if rest ~= '' then priority, due, extra = string.match(rest, '^(%S+) (%S+) (.*)$') end
  local age
  if string.byte(extra) == 116 then age, extra = string.match(extra, '^t(%d+),(.*)$') end
  local old = present[i] or seen[id]
  if age and not old and not left[id] then horizon = horizon or resend_horizon() end
  local no = not old and not left[id] and (age and now - age < horizon and -6 or (guarded or extra ~= '') and refusal(extra))
  if left[id] and not old then
    -- Of another tenant's job only the id is the same: whoever sends this one must hear that it is not in.
    local _, _, _, _, tenant = header(row)
    local isSame = (string.match(left[id], '@(.+)$') or 'default') == tenant
    replies[i] = isSame and 0 or -1
    if isSame then duplicates = duplicates + 1 end
  elseif no then
    replies[i] = no
  elseif not old then
    seen[id] = row
    came = came + 1
    rows[2 * came - 1], rows[2 * came] = id, row
    depth = depth + 1
    local spec = extra ~= '' and string.match(extra, '^n?(%a:%d+:.+)$')
    if spec then take_unique(spec, id) end
    if due ~= '0' then
      due = string.byte(due) == 43 and now + due or tonumber(due)
    end
    if due ~= '0' and due > now then
      scheduled[#scheduled + 1] = due
      scheduled[#scheduled + 1] = id
      late[#late + 1] = id
      replies[i] = 2
    else
      atOnce = atOnce + 1
      fresh[atOnce], ready[atOnce] = id, priority
      if fair then
        local _, _, _, _, tenant = header(row)
        tenants[atOnce] = tenant or 'unknown'
      end
      replies[i] = 1
    end
  else
    local oldHead, oldPayload, oldRef = content(old)
    local newHead, newPayload, newRef = content(row)
    local same = oldHead == newHead and oldPayload == newPayload and oldRef == newRef
    if same then duplicates = duplicates + 1 end
    replies[i] = same and 0 or -1
  end
end
if came > 0 then redis.call('HSET', K_jobs, unpack(rows)) end
if atOnce > 0 then
  add_to_line(fresh, places(ready, tenants, fair))
  emit('ready', fresh)
  -- There is a job for whoever wakes: no need to look.
  redis.call('ZADD', K_wake, 0, '1')
end
if #late > 0 then
  redis.call('ZADD', K_scheduled, unpack(scheduled))
  emit('scheduled', late)
end
if came > 0 then count('enqueued', came) end
if duplicates > 0 then total('duplicates', duplicates) end
if #owners > 0 then total('notUnique', #owners) end
book_tallies()
replies[jobs + 1] = depth
replies[jobs + 2] = limit
for i = 1, #owners do replies[jobs + 2 + i] = owners[i] end
