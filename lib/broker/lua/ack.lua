-- Completes claimed jobs. Only the current claim token counts; a resend of an ack that took is answered as done.
-- KEYS: jobs inflight claims attempts completed results history deaths config counters minutes events
-- ARGV: clock, then per job: id, token, result (text, may be empty)
-- REPLY: per job: 1 completed, 2 already completed by this token, 0 stale
--@include count
--@include emit
--@include claims
--@include forget
local ids, tokens, results = {}, {}, {}
for i = 2, #ARGV, 3 do
  ids[#ids + 1] = ARGV[i]
  tokens[#tokens + 1] = ARGV[i + 1]
  results[#results + 1] = ARGV[i + 2]
end
local rows = redis.call('HMGET', K_claims, unpack(ids))
local replies, done, again, completed, outcomes, seen = {}, {}, {}, {}, {}, {}
local buckets, sum, attempts = {}, 0, {}
local BUCKETS = { 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000 }
for i = 1, #ids do
  local id, row = ids[i], rows[i]
  if holds(row, tokens[i]) and claim_of(row) and not seen[id] then
    seen[id] = true
    local claim = claim_of(row)
    local took = now - claim.claimedAt
    local bucket = 'inf'
    for b = 1, #BUCKETS do
      if took <= BUCKETS[b] then
        bucket = BUCKETS[b]
        break
      end
    end
    buckets[bucket] = (buckets[bucket] or 0) + 1
    attempts[claim.attempt] = (attempts[claim.attempt] or 0) + 1
    sum = sum + took
    done[#done + 1] = id
    if claim.deliveries > 1 or claim.redrives > 0 then again[#again + 1] = id end
    completed[#completed + 1] = now
    completed[#completed + 1] = id
    outcomes[#outcomes + 1] = id
    outcomes[#outcomes + 1] = claim.token .. ' ' .. claim.worker .. ' ' .. claim.claimedAt .. ' ' .. claim.attempt .. ' ' .. claim.losses .. ' ' .. claim.redrives .. ' ' .. results[i]
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
redis.call('ZADD', K_completed, unpack(completed))
redis.call('HSET', K_results, unpack(outcomes))
count('completed', #done)
for bucket, n in pairs(buckets) do redis.call('HINCRBY', K_counters, 'run:' .. bucket, n) end
for attempt, n in pairs(attempts) do redis.call('HINCRBY', K_counters, 'attempt:' .. math.min(attempt, 20), n) end
redis.call('HINCRBY', K_counters, 'run:sum', sum)
emit('completed', done)
local keep = tonumber(redis.call('HGET', K_config, 'completedKeep') or 1000)
local over = redis.call('ZCARD', K_completed) - keep
if over > 0 then
  local popped, old = redis.call('ZPOPMIN', K_completed, math.min(over, 500)), {}
  for i = 1, #popped, 2 do old[#old + 1] = popped[i] end
  forget(old)
end
return replies
