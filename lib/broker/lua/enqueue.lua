-- Adds jobs. Idempotent by job id: a resend finds the same row and changes nothing.
-- KEYS: jobs ready waiting scheduled counters minutes events wake
-- ARGV: clock, then per job: id, row, priority, due (ms since 1970, "+<ms>" from now, or 0 for at once)
-- REPLY: per job: 1 ready, 2 scheduled, 0 duplicate (same row content), -1 conflict (another row under that id)
--@include count
--@include emit
--@include wake
local replies, ready, scheduled, fresh, late, duplicates = {}, {}, {}, {}, {}, 0
-- Two rows are the same job when header, payload and payload reference are equal. The rest of the JSON line may differ from
-- one sending to the next: it holds the producer's clock and trace. `ref` is its last field; see encodeRow.
local function content(row)
  local head, json, payload = string.match(row, '^([^\n]*)\n([^\n]*)\n(.*)$')
  return head, payload, string.match(json or '', '"ref":.*$')
end
for i = 2, #ARGV, 4 do
  local id, row = ARGV[i], ARGV[i + 1]
  if redis.call('HSETNX', K_jobs, id, row) == 1 then
    local due = tonumber(ARGV[i + 3])
    if string.byte(ARGV[i + 3]) == 43 then due = now + due end
    if due > now then
      scheduled[#scheduled + 1] = due
      scheduled[#scheduled + 1] = id
      late[#late + 1] = id
      replies[#replies + 1] = 2
    else
      ready[#ready + 1] = ARGV[i + 2]
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
  local seq = redis.call('HINCRBY', K_counters, 'seq', #fresh) - #fresh
  local scores, waiting = {}, {}
  for i = 1, #fresh do
    scores[2 * i - 1] = (1000 - ready[i]) * 2199023255552 + seq + i
    scores[2 * i] = fresh[i]
    waiting[2 * i - 1] = now
    waiting[2 * i] = fresh[i]
  end
  redis.call('ZADD', K_ready, unpack(scores))
  redis.call('ZADD', K_waiting, unpack(waiting))
  emit('ready', fresh)
end
if #late > 0 then
  redis.call('ZADD', K_scheduled, unpack(scheduled))
  emit('scheduled', late)
end
if #fresh + #late > 0 then count('enqueued', #fresh + #late) end
if duplicates > 0 then redis.call('HINCRBY', K_counters, 'duplicates', duplicates) end
if #fresh > 0 then wake() end
return replies
