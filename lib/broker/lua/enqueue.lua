-- Adds jobs. Idempotent by job id: a resend finds the same row and changes nothing, whatever the queue's limits say by then.
-- KEYS: jobs ready waiting scheduled retry held unique uniqueUntil fair limits config counters minutes events wake
-- ARGV: clock, then per job: id, row, priority, due (ms since 1970, "+<ms>" from now, or 0 for at once), what else ('' mostly; "n" first: not critical; then what is unique about it); at the end, of a queue whose sharding was ever set, its generation
-- REPLY: per job: 1 ready, 2 scheduled, 0 duplicate (same row content), -1 conflict (another row under that id), -2 not unique, -3 full, -4 shed, -5 draining; then jobs waiting, the depth limit (0: none), and who owns the key of each that is not unique. Error RESHARDED: the queue is sharded otherwise by now, nothing was entered
--@include count
--@include emit
--@include wake
--@include row
--@include line
--@include unique
local replies, owners, ready, scheduled, fresh, late, duplicates = {}, {}, {}, {}, {}, {}, 0
-- Two rows are the same job when header, payload and payload reference are equal. The rest of the JSON line may differ from
-- one sending to the next: it holds the producer's clock and trace. `ref` is its last field; see encodeRow.
local function content(row)
  local head, json, payload = string.match(row, '^([^\n]*)\n([^\n]*)\n(.*)$')
  return head, payload, string.match(json or '', '"ref":.*$')
end
local config = redis.call('HMGET', K_config, 'draining', 'depthLimit', 'shedAtPercent', 'fair', 'sharding')
-- A producer with an older idea of how the queue is sharded would put the job where nobody looks for it.
local generation, known = #ARGV % 5 == 2 and ARGV[#ARGV] or '0', config[5] or '0'
if generation ~= known then
  if tonumber(generation) < tonumber(known) then return redis.error_reply('RESHARDED this queue is sharded otherwise by now') end
  redis.call('HSET', K_config, 'sharding', generation)
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
for i = 2, #ARGV - 4, 5 do
  local id, row, extra = ARGV[i], ARGV[i + 1], ARGV[i + 4]
  local plain = extra == '' and limit == 0 and not draining
  local no
  if not plain and redis.call('HEXISTS', K_jobs, id) == 0 then no = refusal(extra) end
  if no then
    replies[#replies + 1] = no
  elseif redis.call('HSETNX', K_jobs, id, row) == 1 then
    depth = depth + 1
    local spec = extra ~= '' and string.match(extra, '^n?(%a:%d+:.+)$')
    if spec then take_unique(spec, id) end
    local due = tonumber(ARGV[i + 3])
    if string.byte(ARGV[i + 3]) == 43 then due = now + due end
    if due > now then
      scheduled[#scheduled + 1] = due
      scheduled[#scheduled + 1] = id
      late[#late + 1] = id
      replies[#replies + 1] = 2
    else
      local tenant = ''
      if fair then
        local _, _, _, _, t = header(row)
        tenant = t or 'unknown'
      end
      ready[#ready + 1] = { ARGV[i + 2], tenant }
      fresh[#fresh + 1] = id
      replies[#replies + 1] = 1
    end
  else
    local oldHead, oldPayload, oldRef = content(redis.call('HGET', K_jobs, id))
    local head, payload, ref = content(row)
    local same = oldHead == head and oldPayload == payload and oldRef == ref
    if same then duplicates = duplicates + 1 end
    replies[#replies + 1] = same and 0 or -1
  end
end
if #fresh > 0 then
  local scores, line, waiting = places(ready, fair), {}, {}
  for i = 1, #fresh do
    line[2 * i - 1] = scores[i]
    line[2 * i] = fresh[i]
    waiting[2 * i - 1] = now
    waiting[2 * i] = fresh[i]
  end
  redis.call('ZADD', K_ready, unpack(line))
  redis.call('ZADD', K_waiting, unpack(waiting))
  emit('ready', fresh)
end
if #late > 0 then
  redis.call('ZADD', K_scheduled, unpack(scheduled))
  emit('scheduled', late)
end
if #fresh + #late > 0 then count('enqueued', #fresh + #late) end
if duplicates > 0 then redis.call('HINCRBY', K_counters, 'duplicates', duplicates) end
if #owners > 0 then redis.call('HINCRBY', K_counters, 'notUnique', #owners) end
if #fresh > 0 then wake() end
replies[#replies + 1] = depth
replies[#replies + 1] = limit
for i = 1, #owners do replies[#replies + 1] = owners[i] end
return replies
