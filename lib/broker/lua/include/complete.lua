-- Completes claimed jobs: from ARGV[at] on, per job: id, token, result (text, may be empty). Only the current claim token
-- counts; a resend of an ack that took is answered as done. Returns per job: 1 completed, 2 already completed by this token,
-- 0 stale.
--@include settings
--@include claims
--@include unique
--@include running
--@include trim
--@include fulfil
--@lazy remembered
local RUN_BUCKETS = { 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000 }
local function bucket_of(took)
  for b = 1, #RUN_BUCKETS do
    if took <= RUN_BUCKETS[b] then return RUN_BUCKETS[b] end
  end
  return 'inf'
end
-- What of a claims row completing needs; see claims.lua. `upto`: where the part ends that becomes the results row.
local CLAIM = '^(%d+%-%S+) %S+ (%d+) (%d+) %d+ (%d+) (%d+) ()%S+ (%S+) ?(%S*)$'
local function complete(at)
  local ids = {}
  local jobs = (#ARGV - at + 1) / 3
  if jobs == 0 then return {} end
  for i = 1, jobs do ids[i] = ARGV[at + 3 * i - 3] end
  local rows = redis.call('HMGET', K_claims, unpack(ids))
  local replies, done, again, redriven, completed, outcomes, seen = {}, {}, {}, {}, {}, {}, {}
  local sum, bytes, n, since = 0, 0, 0, string.format('%.0f', now)
  for i = 1, jobs do
    local id, row, token, result = ids[i], rows[i], ARGV[at + 3 * i - 2], ARGV[at + 3 * i - 1]
    local held, claimedAt, attempt, redrives, size, upto, tenant, unique
    if row and not seen[id] then held, claimedAt, attempt, redrives, size, upto, tenant, unique = string.match(row, CLAIM) end
    if tenant and held == token then
      seen[id] = true
      n = n + 1
      local took = now - claimedAt
      -- Runs of at most 5 ms and first attempts are what the total leaves: most are, and need not be counted twice.
      if took > 5 then total('run:' .. bucket_of(took), 1) end
      if attempt ~= '1' then total('attempt:' .. math.min(tonumber(attempt), 20), 1) end
      sum = sum + took
      local outcome = string.sub(row, 1, upto - 1) .. result
      if tenant ~= 'default' then outcome = string.gsub(outcome, '^%S+ %S+', '%0@' .. tenant, 1) end
      bytes = bytes + size + #outcome
      done[n] = id
      -- A token begins with its delivery.
      if string.sub(held, 1, 2) ~= '1-' or redrives ~= '0' then
        again[#again + 1] = id
        if redrives ~= '0' then redriven[#redriven + 1] = id end
      end
      if unique ~= '' then free_unique(unique, id, 'cd') end
      completed[2 * n - 1] = since
      completed[2 * n] = id
      outcomes[2 * n - 1] = id
      outcomes[2 * n] = outcome
      leaves_flight(tenant)
      replies[i] = 1
    else
      local old = redis.call('HGET', K_results, id)
      local already = seen[id] and holds(row, token) or holds(old, token) and redis.call('ZSCORE', K_completed, id)
      -- Completed, and not kept any more.
      if not already and not row and not old then already = string.match(finished_among({ id })[id] or '', '^[^@]*') == token_end(token) end
      replies[i] = already and 2 or 0
    end
  end
  if n == 0 then return replies end
  redis.call('ZREM', K_inflight, unpack(done))
  redis.call('HDEL', K_claims, unpack(done))
  if #again > 0 then redis.call('HDEL', K_attempts, unpack(again)) end
  if #redriven > 0 then fulfil(redriven) end
  redis.call('ZADD', K_completed, unpack(completed))
  redis.call('HSET', K_results, unpack(outcomes))
  count('completed', n)
  total('completedBytes', bytes)
  if sum > 0 then total('run:sum', sum) end
  emit('completed', done)
  return replies
end
-- A tenth more than is to be kept (at most 100) may stand: taking one away for each that comes would cost a busy queue as
-- much as the jobs themselves. Where only their number counts it is looked at here: mostly there are not too many.
local function trim_history()
  local keep = tonumber(settings[1] or 1000)
  local slack = math.min(100, math.floor(keep / 10))
  if settings[2] or settings[3] or redis.call('ZCARD', K_completed) > keep + slack then
    trim_completed(settings_of_history, slack, 250)
  end
end
