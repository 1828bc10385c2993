-- Completes claimed jobs: from ARGV[at] on, per job: id, token, result (text, may be empty). Only the current claim token
-- counts; a resend of an ack that took is answered as done. Returns per job: 1 completed, 2 already completed by this token,
-- 0 stale.
--@include claims
--@include unique
--@include running
--@include trim
local RUN_BUCKETS = { 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000 }
local function bucket_of(took)
  for b = 1, #RUN_BUCKETS do
    if took <= RUN_BUCKETS[b] then return RUN_BUCKETS[b] end
  end
  return 'inf'
end
local function complete(at)
  local ids, tokens, results = {}, {}, {}
  for i = at, #ARGV, 3 do
    ids[#ids + 1] = ARGV[i]
    tokens[#tokens + 1] = ARGV[i + 1]
    results[#results + 1] = ARGV[i + 2]
  end
  if #ids == 0 then return {} end
  local rows = redis.call('HMGET', K_claims, unpack(ids))
  local replies, done, again, completed, outcomes, seen = {}, {}, {}, {}, {}, {}
  local buckets, sum, attempts, bytes = {}, 0, {}, 0
  for i = 1, #ids do
    local id, row = ids[i], rows[i]
    local claim = not seen[id] and holds(row, tokens[i]) and claim_of(row)
    if claim then
      seen[id] = true
      local took = now - claim.claimedAt
      local bucket = bucket_of(took)
      buckets[bucket] = (buckets[bucket] or 0) + 1
      attempts[claim.attempt] = (attempts[claim.attempt] or 0) + 1
      sum = sum + took
      local size = claim.bytes + #results[i]
      bytes = bytes + size
      done[#done + 1] = id
      if claim.deliveries > 1 or claim.redrives > 0 then again[#again + 1] = id end
      completed[#completed + 1] = now
      completed[#completed + 1] = id
      outcomes[#outcomes + 1] = id
      outcomes[#outcomes + 1] = claim.token .. ' ' .. claim.worker .. ' ' .. claim.claimedAt .. ' ' .. claim.attempt .. ' '
        .. claim.losses .. ' ' .. claim.redrives .. ' ' .. size .. ' ' .. results[i]
      leaves_flight(claim.tenant)
      replies[i] = 1
    else
      local old = redis.call('HGET', K_results, id)
      replies[i] = (seen[id] and holds(row, tokens[i]) or holds(old, tokens[i]) and redis.call('ZSCORE', K_completed, id)) and 2 or 0
    end
  end
  if #done == 0 then return replies end
  redis.call('ZREM', K_inflight, unpack(done))
  redis.call('HDEL', K_claims, unpack(done))
  if #again > 0 then redis.call('HDEL', K_attempts, unpack(again)) end
  for i = 1, #ids do
    if replies[i] == 1 then
      local unique = string.match(rows[i], ' (%a:%d+:%S+)$')
      if unique then free_unique(unique, ids[i], 'cd') end
    end
  end
  redis.call('ZADD', K_completed, unpack(completed))
  redis.call('HSET', K_results, unpack(outcomes))
  count('completed', #done)
  redis.call('HINCRBY', K_counters, 'completedBytes', bytes)
  for bucket, n in pairs(buckets) do redis.call('HINCRBY', K_counters, 'run:' .. bucket, n) end
  for attempt, n in pairs(attempts) do redis.call('HINCRBY', K_counters, 'attempt:' .. math.min(attempt, 20), n) end
  redis.call('HINCRBY', K_counters, 'run:sum', sum)
  emit('completed', done)
  book_slots()
  trim_completed()
  return replies
end
