-- Completes claimed jobs: from ARGV[at] on, the number of jobs; "<token> <how many of the ids> …", in turn; the ids; and for each
-- with a result its position and the result. Only the current claim token counts; a resend of an ack that took is answered as done.
-- Returns 1 when all were completed, else per job: 1 completed, 2 already completed by this token, 0 stale.
local capacity = require('claims.capacity')
local claim_row = require('rows.claim_row')
local clock = require('redis.clock')
local duration_buckets = require('queues.duration_buckets')
local keys = require('keys')
local queue = require('queue')
local settings = require('queues.settings')
-- A claim that is not there: 2 when this token completed the job before, else 0.
local function code_of(id, row, token, isSeen)
  local finished_ids = require('jobs.finished_ids')
  local old = redis.call('HGET', keys.results, id)
  local already = isSeen and claim_row.has_token(row, token) or claim_row.has_token(old, token) and redis.call('ZSCORE', keys.completed, id)
  -- Completed, and not kept any more.
  if not already and not row and not old then
    already = string.match(finished_ids.find({ id })[id] or '', '^[^@]*') == finished_ids.token_end(token)
  end
  return already and 2 or 0
end
local function complete(at)
  local jobs, n = tonumber(ARGV[at]), 0
  if jobs == 0 then return 1 end
  local since = clock.text
  local rows = redis.call('HMGET', keys.claims, unpack(ARGV, at + 2, at + 1 + jobs))
  local codes, done, completed, outcomes, tenants, seen, again, redriven, results = {}, {}, {}, {}, {}, {}, {}, {}, nil
  for i = at + 2 + jobs, #ARGV, 2 do
    results = results or {}
    results[tonumber(ARGV[i])] = ARGV[i + 1]
  end
  local sum, bytes, i, start, took, bucket = 0, 0, 0, nil, 0, nil
  for token, count in string.gmatch(ARGV[at + 1], '(%S+) (%d+)') do
    for _ = 1, tonumber(count) do
      i = i + 1
      local id, row, isDone = ARGV[at + 1 + i], rows[i], false
      local claim = row and not seen[id] and claim_row.start_of(row)
      if claim and claim.token == token then
        local size, tenant, unique = string.match(row, '^(%d+) (%S+) %S+ ?(%S*)$', claim.upto)
        if size then
          if claim ~= start then
            start, took = claim, clock.now - claim.claimedAt
            bucket = duration_buckets.bucket_of('run:', took)
          end
          n = n + 1
          isDone, seen[id] = true, true
          local outcome = results and results[i] and row .. '\n' .. results[i] or row
          sum, bytes = sum + took, bytes + size + #outcome
          tenants[tenant] = (tenants[tenant] or 0) + 1
          done[n] = id
          completed[2 * n - 1], completed[2 * n] = since, id
          outcomes[2 * n - 1], outcomes[2 * n] = id, outcome
          if bucket then queue.count(bucket, 1) end
          -- First attempts are what the total leaves: most are, and need not be counted twice.
          if claim.attempt ~= '1' then queue.total('attempt:' .. math.min(tonumber(claim.attempt), 20), 1) end
          if claim.redrives ~= '0' then redriven[#redriven + 1] = id end
          if claim.deliveries ~= '1' or claim.redrives ~= '0' then again[#again + 1] = id end
          if unique ~= '' then
            local unique_keys = require('jobs.unique_keys')
            unique_keys.free(unique, id, 'cd')
          end
        end
      end
      codes[i] = isDone and 1 or code_of(id, row, token, seen[id])
    end
  end
  if n == 0 then return codes end
  capacity.set_limits(settings.tenantLimits, settings.concurrency)
  redis.call('ZREM', keys.inflight, unpack(done))
  redis.call('HDEL', keys.claims, unpack(done))
  if #again > 0 then redis.call('HDEL', keys.attempts, unpack(again)) end
  if #redriven > 0 then
    local redriven_jobs = require('operations.redriven_jobs')
    redriven_jobs.complete(redriven)
  end
  redis.call('ZADD', keys.completed, unpack(completed))
  redis.call('HSET', keys.results, unpack(outcomes))
  for tenant, ended in pairs(tenants) do capacity.leave(tenant, ended) end
  queue.count('completed', n)
  queue.total('completedBytes', bytes)
  if sum > 0 then queue.total('run:sum', sum) end
  queue.emit('completed', done)
  return n == jobs and 1 or codes
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
