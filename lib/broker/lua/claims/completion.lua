-- Completes claimed jobs: from ARGV[at] on, per job: id, token, result (text, may be empty). Only the current claim token
-- counts; a resend of an ack that took is answered as done. Returns per job: 1 completed, 2 already completed by this token,
-- 0 stale.
local capacity = require('claims.capacity')
local keys = require('keys')
local queue = require('queue')
local settings = require('queues.settings')
local RUN_BUCKETS = { 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000 }
local function bucket_of(took)
  for b = 1, #RUN_BUCKETS do
    if took <= RUN_BUCKETS[b] then return RUN_BUCKETS[b] end
  end
  return 'inf'
end
-- The fields of a claims row (claim_row.lua) that completing needs. `upto`: end of the part that becomes the results row.
local CLAIM = '^(%d+%-%S+) %S+ (%d+) (%d+) %d+ (%d+) (%d+) ()%S+ (%S+) ?(%S*)$'
local function complete(at)
  local ids = {}
  local jobs = (#ARGV - at + 1) / 3
  if jobs == 0 then return {} end
  capacity.set_limits(settings.tenantLimits, settings.concurrency)
  for i = 1, jobs do ids[i] = ARGV[at + 3 * i - 3] end
  local rows = redis.call('HMGET', keys.claims, unpack(ids))
  local replies, done, again, redriven, completed, outcomes, seen = {}, {}, {}, {}, {}, {}, {}
  local sum, bytes, n, since = 0, 0, 0, string.format('%.0f', queue.now)
  for i = 1, jobs do
    local id, row, token, result = ids[i], rows[i], ARGV[at + 3 * i - 2], ARGV[at + 3 * i - 1]
    local held, claimedAt, attempt, redrives, size, upto, tenant, unique
    if row and not seen[id] then held, claimedAt, attempt, redrives, size, upto, tenant, unique = string.match(row, CLAIM) end
    if tenant and held == token then
      seen[id] = true
      n = n + 1
      local took = queue.now - claimedAt
      -- Runs of at most 5 ms and first attempts are what the total leaves: most are, and need not be counted twice.
      if took > 5 then queue.total('run:' .. bucket_of(took), 1) end
      if attempt ~= '1' then queue.total('attempt:' .. math.min(tonumber(attempt), 20), 1) end
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
      if unique ~= '' then
        local unique_keys = require('jobs.unique_keys')
        unique_keys.free(unique, id, 'cd')
      end
      completed[2 * n - 1] = since
      completed[2 * n] = id
      outcomes[2 * n - 1] = id
      outcomes[2 * n] = outcome
      capacity.leave(tenant)
      replies[i] = 1
    else
      local claim_row = require('rows.claim_row')
      local old = redis.call('HGET', keys.results, id)
      local already = seen[id] and claim_row.has_token(row, token) or claim_row.has_token(old, token) and redis.call('ZSCORE', keys.completed, id)
      -- Completed, and not kept any more.
      if not already and not row and not old then
        local finished_ids = require('jobs.finished_ids')
        already = string.match(finished_ids.find({ id })[id] or '', '^[^@]*') == finished_ids.token_end(token)
      end
      replies[i] = already and 2 or 0
    end
  end
  if n == 0 then return replies end
  redis.call('ZREM', keys.inflight, unpack(done))
  redis.call('HDEL', keys.claims, unpack(done))
  if #again > 0 then redis.call('HDEL', keys.attempts, unpack(again)) end
  if #redriven > 0 then
    local redriven_jobs = require('operations.redriven_jobs')
    redriven_jobs.complete(redriven)
  end
  redis.call('ZADD', keys.completed, unpack(completed))
  redis.call('HSET', keys.results, unpack(outcomes))
  queue.count('completed', n)
  queue.total('completedBytes', bytes)
  if sum > 0 then queue.total('run:sum', sum) end
  queue.emit('completed', done)
  return replies
end
-- Removes too many completed jobs at the end. A tenth more than the limit (at most 100) may stay: removing one for each that
-- arrives would cost a busy queue as much as the jobs themselves.
local function commit()
  local most = tonumber(settings.completedKeep or 1000)
  local slack = math.min(100, math.floor(most / 10))
  if settings.completedKeepMs or settings.completedKeepBytes or redis.call('ZCARD', keys.completed) > most + slack then
    local completed_jobs = require('jobs.completed_jobs')
    completed_jobs.trim(slack, 250)
  end
end
return { complete = complete, commit = commit }
