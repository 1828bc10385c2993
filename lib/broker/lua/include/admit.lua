-- Hands out up to `want` ready jobs under a lease: not paused, then rate, then concurrency, then priority and place in line.
-- Promotes due jobs first, so a busy queue needs no scheduler.
-- Jobs of a paused tenant or type, or of a tenant at its limit, step aside into `held`.
-- Replies: status (1 open, 0 paused), more to be had (1/0), next time something falls due (ms, 0 none), now, then per job: id,
-- delivery, attempt, lease losses, row.
--@include history
--@include attempts
--@include unique
--@include bury
--@include held
--@include pauses
--@include due
--@include limits
local function admit(want, lease, worker, nonce)
  -- Most queues have none of these: one question for all five.
  local some = redis.call('EXISTS', K_scheduled, K_retry, K_pauses, K_throttled, K_attempts) > 0
  local _, nextAt, scopes, tried = 0, 0, nil, false
  if some then _, nextAt = promote_due(100) end
  local tenantLimits, rate, fair = settings[4], settings[6], settings[7]
  local function sooner(at)
    if at and at > 0 and (nextAt == 0 or at < nextAt) then nextAt = at end
  end
  if some then
    local nextEnd
    scopes, nextEnd = live_pauses(100)
    sooner(nextEnd)
    tenantLimits = tenantLimits or redis.call('EXISTS', K_throttled) == 1
    tried = redis.call('EXISTS', K_attempts) == 1
  end
  if tenantLimits then thaw_throttled() end
  if scopes and scopes['queue'] then return { 0, 0, nextAt, now } end

  local limited, tokens, perSecond = false, nil, nil
  local function at_most(n)
    if n >= want then return end
    want = math.max(0, n)
    limited = true
  end
  if settings[5] then at_most(tonumber(settings[5]) - redis.call('ZCARD', K_inflight)) end
  if rate then
    tokens, perSecond = bucket('queue', rate)
    at_most(math.floor(tokens))
  end

  local function holds_back(scope, score)
    return scopes[scope] and tonumber(score) >= scopes[scope] and scope
  end
  local reply, ids, left = { 1, 0, nextAt, now }, {}, {}
  local leases, claims, times = {}, {}, {}
  local size = 4
  local leaseUntil, said = string.format('%.0f', now + lease), nonce .. ' ' .. worker .. ' ' .. string.format('%.0f', now) .. ' '
  -- What a first claim's row begins with; most are.
  local first_claim = '1-' .. said .. '1 0 0 '
  -- Large payloads end a claim early: it answers that more is ready instead of holding Redis. The first few tell how large
  -- they are, so that no step reads far more than is left. Jobs that die or step aside on the way cost a multiple.
  local budget, ghosts, buried, stepped, bytes, read, taken = 500, 0, {}, {}, 0, 0, 0
  while taken < want and budget > 0 and bytes < 524288 do
    local fits = read == 0 and 20 or math.max(1, math.floor((524288 - bytes) * read / math.max(1, bytes)))
    local asked = math.min(want - taken, budget, fits, 200)
    local popped = redis.call('ZPOPMIN', K_ready, asked)
    if #popped == 0 then break end
    local batch, got = {}, #popped / 2
    for i = 1, got do batch[i] = popped[2 * i - 1] end
    budget = budget - got
    local rows = redis.call('HMGET', K_jobs, unpack(batch))
    local attempts = tried and redis.call('HMGET', K_attempts, unpack(batch))
    for i = 1, got do
      local id, row, score = batch[i], rows[i], popped[2 * i]
      left[read + i] = id
      if not row then
        ghosts = ghosts + 1
        settle_driven(id, 'deleted')
      else
        bytes = bytes + #row
        local attempt, deliveries, losses, redrives = 0, 0, 0, 0
        local before = attempts and attempts[i]
        if before then attempt, deliveries, losses, redrives = tries(before) end
        local priority, _, deadline, jobType, tenant, unique = header(row)
        local scope = scopes and priority and (holds_back('tenant:' .. tenant, score) or holds_back('type:' .. jobType, score))
        local room = tenantLimits and priority and line_room(tenant)
        if not priority then
          remember(id, 'dead', deliveries, 0, '-', 'malformed', 'ROW_UNREADABLE', '{"message":"The stored row is not a Redrive envelope."}')
          bury(id, row, 'malformed', 'ROW_UNREADABLE', attempt, '-')
          buried[#buried + 1] = id
        elseif tonumber(deadline) > 0 and tonumber(deadline) <= now then
          remember(id, 'dead', deliveries, 0, '-', 'deadline', 'DEADLINE_PASSED', '{"message":"Its deadline passed before it could be claimed."}')
          budget = budget - 4
          bury(id, row, 'deadline', 'DEADLINE_PASSED', attempt, '-')
          buried[#buried + 1] = id
        elseif scope then
          hold(scope, score, id)
          stepped[#stepped + 1] = id
          budget = budget - 2
        elseif room and (room.room < 1 or room.before and tonumber(score) > room.before) then
          hold('limit:' .. tenant, score, id)
          room.aside = true
          budget = budget - 2
          stepped[#stepped + 1] = id
        else
          deliveries = deliveries + 1
          attempt = attempt + 1
          taken = taken + 1
          ids[taken] = id
          enters_flight(tenant)
          if room then
            room.room = room.room - 1
            room.taken = room.taken + 1
          end
          if unique then free_unique(unique, id, 'c') end
          if fair then
            local tag = score - band_of(priority)
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
  if read > 0 then redis.call('ZREM', K_waiting, unpack(left)) end
  if ghosts > 0 then count('deleted', ghosts) end
  if ghosts + #buried > 0 then book_deaths() end
  if #buried > 0 then
    count('dead', #buried)
    emit('dead', buried)
  end
  if #stepped > 0 then emit('held', stepped) end
  if #ids > 0 then
    redis.call('ZADD', K_inflight, unpack(leases))
    redis.call('HSET', K_claims, unpack(claims))
    if tokens then
      tokens = tokens - #ids
      spend('queue', tokens)
    end
    for priority, tag in pairs(times) do
      local base = band_of(priority)
      if tag > virtual_time(priority, tonumber(fair)) then redis.call('HSET', K_limits, 'v:' .. priority, string.format('%.0f', tag)) end
      -- Whoever's last job ends before the virtual time would start at it anyway.
      local past = redis.call('ZRANGE', K_fair, base, base + tag, 'BYSCORE', 'LIMIT', 0, 50)
      if #past > 0 then redis.call('ZREM', K_fair, unpack(past)) end
    end
    count('claimed', #ids)
    emit('claimed', ids, worker)
  end
  if tenantLimits then
    book_tenants()
    -- Room for a tenant is none where the queue has none.
    if not limited or #ids < want then sooner(tonumber(redis.call('ZRANGE', K_throttled, 0, 0, 'WITHSCORES')[2] or 0)) end
  end
  if limited and #ids >= want then
    -- Whom a limit stops would be stopped again at once: the end of a run or the next token wakes somebody. What waits for
    -- it may stand in line, or aside for its tenant's limit.
    if tokens and tokens < 1 and redis.call('EXISTS', K_ready, K_throttled) > 0 then sooner(next_token(tokens, perSecond)) end
  elseif redis.call('ZCARD', K_ready) > 0 then
    reply[2] = 1
    redis.call('ZADD', K_wake, 0, '1')
  end
  reply[3] = nextAt
  return reply
end
