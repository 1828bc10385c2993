-- Hands out up to `want` ready jobs under a lease, by priority and order, as far as `budget` goes: jobs that cost more use more of it. Promotes due jobs first, so a busy queue needs no
-- scheduler. What limits, pauses and fairness change about it is in claim_rules.lua, for queues that use them.
-- Returns the reply, and the ids. Reply: status (1 open, 0 paused), more jobs are ready (1/0), next time something falls due (ms,
-- 0 none), now; and, when there are jobs: "<id> <bytes of its row>" of each, joined by spaces; their rows one behind the other, in pieces;
-- "<position> <delivery> <attempt> <lease losses>" of those that were claimed before, joined by spaces.
local attempt_row = require('rows.attempt_row')
local capacity = require('claims.capacity')
local clock = require('redis.clock')
local duration_buckets = require('queues.duration_buckets')
local job_row = require('rows.job_row')
local keys = require('keys')
local lease_ends = require('claims.lease_ends')
local queue = require('queue')
local reply_rows = require('claims.reply_rows')
local settings = require('queues.settings')
local tallies = require('queues.tallies')
-- A job that cannot run is dead instead of claimed.
local function kill(id, row, class, code, message, before)
  local dead_letters = require('dead.dead_letters')
  local history_log = require('rows.history_log')
  local attempt, deliveries = attempt_row.parse(before)
  history_log.add(id, 'dead', deliveries, 0, '-', class, code, '{"message":"' .. message .. '"}')
  dead_letters.add(id, row, class, code, attempt, '')
end
-- What a row's first line says about its job, or false: it is not ours.
local function read_head(line)
  local priority, _, deadline, jobType, tenant, unique = job_row.parse(line)
  if not priority then return false end
  return { priority = priority, deadline = tonumber(deadline), jobType = jobType, tenant = tenant, unique = unique, taken = 0,
    between = ' ' .. tenant .. ' ', tail = unique and ' ' .. unique or '' }
end
local function claim(want, lease, worker, nonce, budget)
  local find, sub, now = string.find, string.sub, clock.now
  local nextAt, more, tried, rules = 0, 0, false, settings.rate or settings.concurrency or settings.tenantLimits or settings.fair
  -- Most queues have none of these: one question for all five.
  if redis.call('EXISTS', keys.scheduled, keys.retry, keys.pauses, keys.throttled, keys.attempts) > 0 then
    local due_jobs = require('jobs.due_jobs')
    local promoted
    promoted, nextAt = due_jobs.promote(100)
    budget = budget - promoted
    tried = redis.call('EXISTS', keys.attempts) == 1
    rules = rules or redis.call('EXISTS', keys.pauses, keys.throttled) > 0
  end
  if rules then
    local claim_rules = require('claims.claim_rules')
    rules = claim_rules.begin(want, nextAt)
    if rules.paused then return { 0, 0, rules.nextAt, now }, {} end
    want = rules.want
  end
  capacity.set_limits(settings.tenantLimits, settings.concurrency)
  local ids, left, leases, claims, sizes, rows, again = {}, {}, {}, {}, {}, {}, {}
  local heads, texts, line, head, firstHead = {}, {}, nil, nil, nil
  local leaseUntil, said = string.format('%.0f', now + lease), nonce .. ' ' .. worker .. ' ' .. clock.text .. ' '
  -- What a first claim's row begins with; most are.
  local first = '1-' .. said .. '1 0 0 '
  -- Large payloads end a claim early: it answers that more is ready instead of holding Redis. The first twenty tell how large
  -- they are, so that no step reads far more than is left. Jobs that die or step aside on the way cost a multiple.
  local most, ghosts, died, held, bytes, read, taken = budget, 0, {}, {}, 0, 0, 0
  while taken < want and budget > 0 and bytes < 524288 do
    local fits = read == 0 and 20 or math.max(1, math.floor(read * math.min((524288 - bytes) / math.max(1, bytes), budget / (most - budget))))
    local asked = math.min(want - taken, budget, fits, 200)
    local popped = redis.call('ZPOPMIN', keys.ready, asked)
    local got = #popped / 2
    if got == 0 then break end
    local batch = {}
    for i = 1, got do batch[i] = popped[2 * i - 1] end
    budget = budget - got
    local found = redis.call('HMGET', keys.jobs, unpack(batch))
    local attempts = tried and redis.call('HMGET', keys.attempts, unpack(batch)) or {}
    for i = 1, got do
      local id, row, score, before = batch[i], found[i], popped[2 * i], attempts[i]
      left[read + i] = id
      if not row then
        ghosts = ghosts + 1
        local dead_letters = require('dead.dead_letters')
        dead_letters.drop(id)
      else
        local size = #row
        bytes = bytes + size
        -- Jobs in turn are often of one kind.
        if not line or find(row, line, 1, true) ~= 1 then
          line = sub(row, 1, find(row, '\n', 1, true) or 0)
          head = heads[line]
          if head == nil then
            head = read_head(line)
            heads[line] = head
            -- Its tenant is mostly another one, with limits and counts to read and write.
            budget = budget - (rules and 3 or 1)
          end
          if line == '' then line = nil end
        end
        if not head then
          kill(id, row, 'malformed', 'ROW_UNREADABLE', 'The stored row is not a Redrive envelope.', before)
          died[#died + 1] = id
        elseif head.deadline > 0 and head.deadline <= now then
          kill(id, row, 'deadline', 'DEADLINE_PASSED', 'Its deadline passed before it could be claimed.', before)
          died[#died + 1] = id
          budget = budget - 4
        elseif rules and rules.holds(id, score, head) then
          held[#held + 1] = id
          budget = budget - 2
        else
          taken = taken + 1
          head.taken = head.taken + 1
          local start = first
          if before then
            local attempt, deliveries, losses, redrives = attempt_row.parse(before)
            start = deliveries + 1 .. '-' .. said .. attempt + 1 .. ' ' .. losses .. ' ' .. redrives .. ' '
            again[#again + 1] = taken .. ' ' .. deliveries + 1 .. ' ' .. attempt + 1 .. ' ' .. losses
          end
          if head.unique then
            local unique_keys = require('jobs.unique_keys')
            unique_keys.free(head.unique, id, 'c')
            budget = budget - 1
          end
          if rules then rules.take(score, head) end
          local text = texts[size]
          if not text then
            text = string.format('%d', size)
            texts[size] = text
          end
          ids[taken], rows[taken] = id, row
          firstHead = firstHead or head
          leases[2 * taken - 1], leases[2 * taken] = leaseUntil, id
          claims[2 * taken - 1], claims[2 * taken] = id, start .. text .. head.between .. score .. head.tail
          sizes[2 * taken - 1], sizes[2 * taken] = id, text
        end
      end
    end
    read = read + got
    if got < asked then break end
  end
  -- The first job stands for all of its call: asking for each would cost more than the claim of one.
  local readyAt = taken > 0 and redis.call('ZSCORE', keys.waiting, ids[1])
  if read > 0 then redis.call('ZREM', keys.waiting, unpack(left)) end
  if ghosts > 0 then queue.count('deleted', ghosts) end
  if #died > 0 then
    queue.count('dead', #died)
    queue.emit('dead', died)
  end
  if #held > 0 then queue.emit('held', held) end
  if taken > 0 then
    lease_ends.add(leases)
    redis.call('HSET', keys.claims, unpack(claims))
    for _, head in pairs(heads) do
      if head then capacity.enter(head.tenant, head.taken) end
    end
    queue.count('claimed', taken)
    local bucket = readyAt and duration_buckets.bucket_of('wait:', now - readyAt)
    if bucket then queue.count(bucket, taken) end
    tallies.add(firstHead.jobType, firstHead.tenant, 'c', taken)
    queue.emit('claimed', ids, worker)
  end
  local canMore = true
  if rules then nextAt, canMore = rules.finish(taken) end
  if canMore and redis.call('ZCARD', keys.ready) > 0 then
    more = 1
    redis.call('ZADD', keys.wake, '0', '1')
  end
  if taken == 0 then return { 1, more, nextAt, now }, ids end
  local pieces = {}
  reply_rows.add(pieces, rows)
  return { 1, more, nextAt, now, table.concat(sizes, ' '), pieces, table.concat(again, ' ') }, ids
end
return { claim = claim }
