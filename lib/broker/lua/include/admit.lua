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
  promote_due(100)
  local scopes, nextAt = live_pauses(200)
  local config = redis.call('HMGET', K_config, 'rate', 'concurrency', 'tenantLimits', 'fair')
  local rate, fair = config[1], config[4]
  local tenantLimits = config[3] or redis.call('EXISTS', K_throttled) == 1
  if tenantLimits then thaw_throttled() end
  local function sooner(at)
    if at and (nextAt == 0 or at < nextAt) then nextAt = at end
  end
  local function first(key)
    local entry = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
    sooner(entry[2] and tonumber(entry[2]))
  end
  first(K_scheduled)
  first(K_retry)
  if scopes and scopes['queue'] then return { 0, 0, nextAt, now } end

  local limited, tokens, perSecond = false, nil, nil
  local function at_most(n)
    if n >= want then return end
    want = math.max(0, n)
    limited = true
  end
  if config[2] then at_most(tonumber(config[2]) - redis.call('ZCARD', K_inflight)) end
  if rate then
    tokens, perSecond = bucket('queue', rate)
    at_most(math.floor(tokens))
  end

  local function holds_back(scope, score)
    return scopes[scope] and tonumber(score) >= scopes[scope] and scope
  end
  local reply, ids, left = { 1, 0, nextAt, now }, {}, {}
  local leases, claims, running, times = {}, {}, {}, {}
  -- Large payloads end a claim early: it answers that more is ready instead of holding Redis.
  local budget, ghosts, buried, bytes = 500, 0, {}, 0
  while #ids < want and budget > 0 and bytes < 524288 do
    local popped = redis.call('ZPOPMIN', K_ready, math.min(want - #ids, budget, 50))
    if #popped == 0 then break end
    local batch = {}
    for i = 1, #popped, 2 do batch[#batch + 1] = popped[i] end
    budget = budget - #batch
    local rows = redis.call('HMGET', K_jobs, unpack(batch))
    local tried = redis.call('HMGET', K_attempts, unpack(batch))
    for i = 1, #batch do
      local id, row, score = batch[i], rows[i], popped[2 * i]
      left[#left + 1] = id
      if not row then
        ghosts = ghosts + 1
      else
        bytes = bytes + #row
        local attempt, deliveries, losses, redrives = tries(tried[i])
        local priority, _, deadline, jobType, tenant, unique = header(row)
        local scope = scopes and priority and (holds_back('tenant:' .. tenant, score) or holds_back('type:' .. jobType, score))
        local room = tenantLimits and priority and line_room(tenant)
        if not priority then
          remember(id, 'dead', deliveries, 0, '-', 'malformed', 'ROW_UNREADABLE', '{"message":"The stored row is not a Redrive envelope."}')
          bury(id, 'unknown', 'unknown', 'malformed', 'ROW_UNREADABLE')
          buried[#buried + 1] = id
        elseif tonumber(deadline) > 0 and tonumber(deadline) <= now then
          remember(id, 'dead', deliveries, 0, '-', 'deadline', 'DEADLINE_PASSED', '{"message":"Its deadline passed before it could be claimed."}')
          bury(id, jobType, tenant, 'deadline', 'DEADLINE_PASSED', unique)
          buried[#buried + 1] = id
        elseif scope then
          hold(scope, score, id)
        elseif room and room.room < 1 then
          hold('limit:' .. tenant, score, id)
          room.aside = true
        else
          deliveries = deliveries + 1
          attempt = attempt + 1
          ids[#ids + 1] = id
          running[tenant] = (running[tenant] or 0) + 1
          if room then
            room.room = room.room - 1
            room.taken = room.taken + 1
          end
          if unique then free_unique(unique, id, 'c') end
          if fair then
            local tag = score - (1000 - priority) * BAND
            if tag > (times[priority] or -1) then times[priority] = tag end
          end
          leases[#leases + 1] = now + lease
          leases[#leases + 1] = id
          claims[#claims + 1] = id
          claims[#claims + 1] = deliveries .. '-' .. nonce .. ' ' .. worker .. ' ' .. now .. ' ' .. attempt .. ' ' .. losses .. ' '
            .. redrives .. ' ' .. score .. ' ' .. #row .. ' ' .. tenant .. (unique and ' ' .. unique or '')
          reply[#reply + 1] = id
          reply[#reply + 1] = deliveries
          reply[#reply + 1] = attempt
          reply[#reply + 1] = losses
          reply[#reply + 1] = row
        end
      end
    end
  end
  if #left > 0 then redis.call('ZREM', K_waiting, unpack(left)) end
  if ghosts > 0 then count('deleted', ghosts) end
  if #buried > 0 then
    count('dead', #buried)
    emit('dead', buried)
  end
  if #ids > 0 then
    redis.call('ZADD', K_inflight, unpack(leases))
    redis.call('HSET', K_claims, unpack(claims))
    for tenant, n in pairs(running) do redis.call('HINCRBY', K_running, tenant, n) end
    if tokens then
      tokens = tokens - #ids
      spend('queue', tokens)
    end
    for priority, tag in pairs(times) do
      local base = (1000 - priority) * BAND
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
    if not limited or #ids < want then first(K_throttled) end
  end
  if redis.call('ZCARD', K_ready) > 0 then
    if limited and #ids >= want then
      -- Whom a limit stops would be stopped again at once: the end of a run or the next token wakes somebody.
      if tokens and tokens < 1 then sooner(next_token(tokens, perSecond)) end
    else
      reply[2] = 1
      wake()
    end
  end
  reply[3] = nextAt
  return reply
end
