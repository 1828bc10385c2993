-- Enters jobs; see enqueue.lua.
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local ready_order = require('jobs.ready_order')
-- Two rows are the same job when header, payload and payload reference are equal. The rest of the JSON line may differ from
-- one sending to the next: it holds the producer's clock and trace. `ref` is its last field; see encodeRow.
local function content(row)
  local head, json, payload = string.match(row, '^([^\n]*)\n([^\n]*)\n(.*)$')
  return head, payload, string.match(json or '', '"ref":.*$')
end
-- `args`: how many of ARGV are about the jobs. Returns the reply, how many came in, and ids of those that are ready, or scheduled.
local function enter(args)
  local replies, owners, ready, scheduled, fresh, late, keyed, duplicates = {}, {}, {}, {}, {}, {}, {}, 0
  local config = redis.call('HMGET', keys.config, 'draining', 'depthLimit', 'shedAtPercent', 'fair', 'sharding')
  -- A producer with an older idea of how the queue is sharded would put the job into a shard that is not read any more.
  local tail = args % 3 == 2 and ARGV[args] or 'r'
  local sharding, known = #tail > 1 and string.sub(tail, 2) or '0', config[5] or '0'
  -- Ids that were made for this call and never sent cannot have been here.
  local resent = string.byte(tail) == 114
  if sharding ~= known then
    local mine, newest = tonumber(string.match(sharding, '^%d+')), tonumber(string.match(known, '^%d+') or 0)
    if mine < newest then return redis.error_reply('RESHARDED this queue is sharded otherwise by now') end
    if mine > newest then
      redis.call('HSET', keys.config, 'sharding', sharding)
      local resend_window = require('jobs.resend_window')
      resend_window.restart(queue.now)
    end
  end
  local draining, fair = config[1], config[4]
  local limit = tonumber(config[2] or 0)
  local shedAt = config[3] and limit * tonumber(config[3]) / 100 or limit
  local depth = 0
  if limit > 0 then
    depth = redis.call('ZCARD', keys.ready) + redis.call('ZCARD', keys.scheduled) + redis.call('ZCARD', keys.retry) + redis.call('ZCARD', keys.held)
  end
  -- Why a job that is not known yet may not come in; nil when it may.
  local function refusal(extra)
    if draining then return -5 end
    if limit > 0 and depth >= limit then return -3 end
    if limit > 0 and depth >= shedAt and string.byte(extra) == 110 then return -4 end
    local spec = string.match(extra, '^n?(%a:%d+:.+)$')
    if spec then
      local unique_keys = require('jobs.unique_keys')
      local owner = unique_keys.owner(string.match(spec, '^%a:%d+:(.+)$'))
      if owner then
        owners[#owners + 1] = owner
        return -2
      end
    end
    return nil
  end
  local limited = limit > 0 or draining
  -- How many of them came in, and how many of those are ready: asking a long list for its length costs as much as adding to it.
  local came, atOnce = 0, 0
  local jobs, ids, rows, seen, tenants = math.floor((args - 1) / 3), {}, {}, {}, {}
  for i = 1, jobs do ids[i] = ARGV[3 * i - 1] end
  local present = redis.call('HMGET', keys.jobs, unpack(ids))
  local left, horizon = {}, nil
  if resent then
    local absent = {}
    for i = 1, jobs do
      if not present[i] then absent[#absent + 1] = ids[i] end
    end
    local finished_ids = require('jobs.finished_ids')
    left = finished_ids.find(absent)
  end
  for i = 1, jobs do
    local id, row, rest = ids[i], ARGV[3 * i], ARGV[3 * i + 1]
    -- Most jobs have nothing to say here.
    local priority, due, extra = '0', '0', ''
    if rest ~= '' then priority, due, extra = string.match(rest, '^(%S+) (%S+) (.*)$') end
    local age
    if string.byte(extra) == 116 then age, extra = string.match(extra, '^t(%d+),(.*)$') end
    local hasKey = string.byte(extra) == 107
    if hasKey then extra = string.sub(extra, 2) end
    local old = present[i] or seen[id]
    if age and not old and not left[id] and not horizon then
      local resend_window = require('jobs.resend_window')
      horizon = resend_window.horizon()
    end
    local no = not old and not left[id] and (age and queue.now - age < horizon and -6 or (limited or extra ~= '') and refusal(extra))
    if left[id] and not old then
      -- Of another tenant's job only the id is the same: the producer must hear that this one is not in.
      local _, _, _, _, tenant = job_row.parse(row)
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
      if hasKey then keyed[#keyed + 1], keyed[#keyed + 2] = id, row end
      local spec = extra ~= '' and string.match(extra, '^n?(%a:%d+:.+)$')
      if spec then
        local unique_keys = require('jobs.unique_keys')
        unique_keys.take(spec, id)
      end
      if due ~= '0' then
        due = string.byte(due) == 43 and queue.now + due or tonumber(due)
      end
      if due ~= '0' and due > queue.now then
        scheduled[#scheduled + 1] = due
        scheduled[#scheduled + 1] = id
        late[#late + 1] = id
        replies[i] = 2
      else
        atOnce = atOnce + 1
        fresh[atOnce], ready[atOnce] = id, priority
        if fair then
          local _, _, _, _, tenant = job_row.parse(row)
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
  if #keyed > 0 then
    local idempotency_keys = require('jobs.idempotency_keys')
    idempotency_keys.add(keyed)
  end
  if came > 0 then redis.call('HSET', keys.jobs, unpack(rows)) end
  if atOnce > 0 then
    ready_order.add(fresh, ready_order.scores(ready, tenants, fair))
    queue.emit('ready', fresh)
    -- There is a job for the worker that wakes: no need to look.
    redis.call('ZADD', keys.wake, 0, '1')
  end
  if #late > 0 then
    redis.call('ZADD', keys.scheduled, unpack(scheduled))
    queue.emit('scheduled', late)
  end
  if came > 0 then queue.count('enqueued', came) end
  if duplicates > 0 then queue.total('duplicates', duplicates) end
  if #owners > 0 then queue.total('notUnique', #owners) end
  replies[jobs + 1] = depth
  replies[jobs + 2] = limit
  for i = 1, #owners do replies[jobs + 2 + i] = owners[i] end
  return replies, came, #fresh > 0 and fresh or late
end
return { enter = enter }
