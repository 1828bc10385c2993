-- Hands out up to `want` ready jobs under a lease: not paused, then rate, then concurrency, then priority and order.
-- Promotes due jobs first, so a busy queue needs no scheduler.
-- Jobs of a paused tenant or type, or of a tenant at its limit, step aside into `held`.
-- Replies: status (1 open, 0 paused), more jobs are ready (1/0), next time something falls due (ms, 0 none), now, then per job: id,
-- delivery, attempt, lease losses, row.
local attempt_row = require('rows.attempt_row')
local capacity = require('claims.capacity')
local due_jobs = require('jobs.due_jobs')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local settings = require('queues.settings')
-- A job that cannot run is dead instead of claimed.
local function kill(id, row, class, code, message, deliveries, attempt)
  local dead_letters = require('dead.dead_letters')
  local history_log = require('rows.history_log')
  history_log.add(id, 'dead', deliveries, 0, '-', class, code, '{"message":"' .. message .. '"}')
  dead_letters.add(id, row, class, code, attempt, '')
end
local function claim(want, lease, worker, nonce)
  -- Most queues have none of these: one question for all five.
  local some = redis.call('EXISTS', keys.scheduled, keys.retry, keys.pauses, keys.throttled, keys.attempts) > 0
  local nextAt, scopes, tried = 0, nil, false
  local tenantLimits, concurrency, rate, fair = settings.tenantLimits, settings.concurrency, settings.rate, settings.fair
  capacity.set_limits(tenantLimits, concurrency)
  local function sooner(at)
    if at and at > 0 and (nextAt == 0 or at < nextAt) then nextAt = at end
  end
  if some then
    local _
    _, nextAt = due_jobs.promote(100)
    if redis.call('EXISTS', keys.pauses) == 1 then
      local pause_scopes = require('queues.pause_scopes')
      local nextEnd
      scopes, nextEnd = pause_scopes.in_force(100)
      sooner(nextEnd)
    end
    tenantLimits = tenantLimits or redis.call('EXISTS', keys.throttled) == 1
    tried = redis.call('EXISTS', keys.attempts) == 1
  end
  if tenantLimits then
    local claim_limits = require('claims.claim_limits')
    claim_limits.put_back_throttled()
  end
  if scopes and scopes['queue'] then return { 0, 0, nextAt, queue.now } end

  local limited, tokens, perSecond = false, nil, nil
  local function at_most(n)
    if n >= want then return end
    want = math.max(0, n)
    limited = true
  end
  if concurrency then at_most(tonumber(concurrency) - redis.call('ZCARD', keys.inflight)) end
  if rate then
    local claim_limits = require('claims.claim_limits')
    tokens, perSecond = claim_limits.bucket('queue', rate)
    at_most(math.floor(tokens))
  end

  local function holds_back(scope, score)
    return scopes[scope] and tonumber(score) >= scopes[scope] and scope
  end
  local reply, ids, left = { 1, 0, nextAt, queue.now }, {}, {}
  local leases, claims, times = {}, {}, {}
  local size = 4
  local leaseUntil, said = string.format('%.0f', queue.now + lease), nonce .. ' ' .. worker .. ' ' .. string.format('%.0f', queue.now) .. ' '
  -- What a first claim's row begins with; most are.
  local first_claim = '1-' .. said .. '1 0 0 '
  -- Large payloads end a claim early: it answers that more is ready instead of holding Redis. The first few tell how large
  -- they are, so that no step reads far more than is left. Jobs that die or step aside on the way cost a multiple.
  local budget, ghosts, died, held, bytes, read, taken = 500, 0, {}, {}, 0, 0, 0
  while taken < want and budget > 0 and bytes < 524288 do
    local fits = read == 0 and 20 or math.max(1, math.floor((524288 - bytes) * read / math.max(1, bytes)))
    local asked = math.min(want - taken, budget, fits, 200)
    local popped = redis.call('ZPOPMIN', keys.ready, asked)
    if #popped == 0 then break end
    local batch, got = {}, #popped / 2
    for i = 1, got do batch[i] = popped[2 * i - 1] end
    budget = budget - got
    local rows = redis.call('HMGET', keys.jobs, unpack(batch))
    local attempts = tried and redis.call('HMGET', keys.attempts, unpack(batch))
    for i = 1, got do
      local id, row, score = batch[i], rows[i], popped[2 * i]
      left[read + i] = id
      if not row then
        ghosts = ghosts + 1
        local dead_letters = require('dead.dead_letters')
        dead_letters.drop(id)
      else
        bytes = bytes + #row
        local attempt, deliveries, losses, redrives = 0, 0, 0, 0
        local before = attempts and attempts[i]
        if before then
          attempt, deliveries, losses, redrives = attempt_row.parse(before)
        end
        local priority, _, deadline, jobType, tenant, unique = job_row.parse(row)
        local scope = scopes and priority and (holds_back('tenant:' .. tenant, score) or holds_back('type:' .. jobType, score))
        local room
        if tenantLimits and priority then
          local claim_limits = require('claims.claim_limits')
          room = claim_limits.room(tenant)
        end
        if not priority then
          kill(id, row, 'malformed', 'ROW_UNREADABLE', 'The stored row is not a Redrive envelope.', deliveries, attempt)
          died[#died + 1] = id
        elseif tonumber(deadline) > 0 and tonumber(deadline) <= queue.now then
          kill(id, row, 'deadline', 'DEADLINE_PASSED', 'Its deadline passed before it could be claimed.', deliveries, attempt)
          died[#died + 1] = id
          budget = budget - 4
        elseif scope then
          local held_jobs = require('jobs.held_jobs')
          held_jobs.add(scope, score, id)
          held[#held + 1] = id
          budget = budget - 2
        elseif room and (room.room < 1 or room.before and tonumber(score) > room.before) then
          local held_jobs = require('jobs.held_jobs')
          held_jobs.add('limit:' .. tenant, score, id)
          room.aside = true
          budget = budget - 2
          held[#held + 1] = id
        else
          deliveries = deliveries + 1
          attempt = attempt + 1
          taken = taken + 1
          ids[taken] = id
          capacity.enter(tenant)
          if room then
            room.room = room.room - 1
            room.taken = room.taken + 1
          end
          if unique then
            local unique_keys = require('jobs.unique_keys')
            unique_keys.free(unique, id, 'c')
          end
          if fair then
            local ready_order = require('jobs.ready_order')
            local tag = score - ready_order.band(priority)
            if tag > (times[priority] or -1) then times[priority] = tag end
          end
          leases[2 * taken - 1], leases[2 * taken] = leaseUntil, id
          claims[2 * taken - 1] = id
          claims[2 * taken] = (before and deliveries .. '-' .. said .. attempt .. ' ' .. losses .. ' ' .. redrives .. ' ' or first_claim)
            .. #row .. ' ' .. score .. ' ' .. tenant .. (unique and ' ' .. unique or '')
          reply[size + 1] = id
          reply[size + 2] = deliveries
          reply[size + 3] = attempt
          reply[size + 4] = losses
          reply[size + 5] = row
          size = size + 5
        end
      end
    end
    read = read + got
    if got < asked then break end
  end
  if read > 0 then redis.call('ZREM', keys.waiting, unpack(left)) end
  if ghosts > 0 then queue.count('deleted', ghosts) end
  if #died > 0 then
    queue.count('dead', #died)
    queue.emit('dead', died)
  end
  if #held > 0 then queue.emit('held', held) end
  if #ids > 0 then
    redis.call('ZADD', keys.inflight, unpack(leases))
    redis.call('HSET', keys.claims, unpack(claims))
    if tokens then
      local claim_limits = require('claims.claim_limits')
      tokens = tokens - #ids
      claim_limits.spend('queue', tokens)
    end
    for priority, tag in pairs(times) do
      local ready_order = require('jobs.ready_order')
      local base = ready_order.band(priority)
      if tag > ready_order.virtual_time(priority, tonumber(fair)) then redis.call('HSET', keys.limits, 'v:' .. priority, string.format('%.0f', tag)) end
      -- A tenant with an end before the virtual time starts at the virtual time anyway.
      local past = redis.call('ZRANGE', keys.fair, base, base + tag, 'BYSCORE', 'LIMIT', 0, 50)
      if #past > 0 then redis.call('ZREM', keys.fair, unpack(past)) end
    end
    queue.count('claimed', #ids)
    queue.emit('claimed', ids, worker)
  end
  if tenantLimits then
    local claim_limits = require('claims.claim_limits')
    claim_limits.save_tenants()
    -- Room for a tenant is none where the queue has none.
    if not limited or #ids < want then sooner(tonumber(redis.call('ZRANGE', keys.throttled, 0, 0, 'WITHSCORES')[2] or 0)) end
  end
  if limited and #ids >= want then
    -- Whom a limit stops would be stopped again at once: the end of a run or the next token wakes somebody. What waits for
    -- it may stand in line, or aside for its tenant's limit.
    if tokens and tokens < 1 and redis.call('EXISTS', keys.ready, keys.throttled) > 0 then
      local claim_limits = require('claims.claim_limits')
      sooner(claim_limits.next_token(tokens, perSecond))
    end
  elseif redis.call('ZCARD', keys.ready) > 0 then
    reply[2] = 1
    redis.call('ZADD', keys.wake, 0, '1')
  end
  reply[3] = nextAt
  return reply
end
return { claim = claim }
