-- What limits, pauses and fairness change about a claim: not paused, then rate, then concurrency, then priority and order.
-- Jobs of a paused tenant or type, or of a tenant at its limit, step aside into `held`.
local claim_limits = require('claims.claim_limits')
local held_jobs = require('jobs.held_jobs')
local keys = require('keys')
local pause_scopes = require('queues.pause_scopes')
local ready_order = require('jobs.ready_order')
local settings = require('queues.settings')
local fair, tenantLimits, scopes = settings.fair, settings.tenantLimits, nil
local rules, times, tokens, perSecond = nil, {}, nil, nil
local limited = false
local function sooner(at)
  if at and at > 0 and (rules.nextAt == 0 or at < rules.nextAt) then rules.nextAt = at end
end
local function at_most(n)
  if n >= rules.want then return end
  rules.want = math.max(0, n)
  limited = true
end
local function scope_of(scope, score)
  return scopes[scope] and tonumber(score) >= scopes[scope] and scope
end
-- Whether the job has stepped aside.
local function holds(id, score, head)
  local scope = scopes and (scope_of('tenant:' .. head.tenant, score) or scope_of('type:' .. head.jobType, score))
  local room = tenantLimits and claim_limits.room(head.tenant)
  if not scope and room and (room.room < 1 or room.before and tonumber(score) > room.before) then
    scope = 'limit:' .. head.tenant
    room.aside = true
  end
  if scope then held_jobs.add(scope, score, id) end
  return scope
end
-- Books a job that is handed out.
local function take(score, head)
  if tenantLimits then
    local room = claim_limits.room(head.tenant)
    room.room = room.room - 1
    room.taken = room.taken + 1
  end
  if fair then
    local tag = score - ready_order.band(head.priority)
    if tag > (times[head.priority] or -1) then times[head.priority] = tag end
  end
end
-- Returns when something falls due next, and whether jobs that are left could be claimed now.
local function finish(taken)
  if taken > 0 then
    if tokens then
      tokens = tokens - taken
      claim_limits.spend('queue', tokens)
    end
    for priority, tag in pairs(times) do
      local base = ready_order.band(priority)
      if tag > ready_order.virtual_time(priority, tonumber(fair)) then redis.call('HSET', keys.limits, 'v:' .. priority, string.format('%.0f', tag)) end
      -- A tenant with an end before the virtual time starts at the virtual time anyway.
      local past = redis.call('ZRANGE', keys.fair, base, base + tag, 'BYSCORE', 'LIMIT', 0, 50)
      if #past > 0 then redis.call('ZREM', keys.fair, unpack(past)) end
    end
  end
  local full = limited and taken >= rules.want
  if tenantLimits then
    claim_limits.save_tenants()
    -- Room for a tenant is none where the queue has none.
    if not full then sooner(tonumber(redis.call('ZRANGE', keys.throttled, 0, 0, 'WITHSCORES')[2] or 0)) end
  end
  -- Whom a limit stops would be stopped again at once: the end of a run or the next token wakes somebody. What waits for
  -- it may stand in line, or aside for its tenant's limit.
  if full and tokens and tokens < 1 and redis.call('EXISTS', keys.ready, keys.throttled) > 0 then
    sooner(claim_limits.next_token(tokens, perSecond))
  end
  return rules.nextAt, not full
end
local function begin(want, nextAt)
  rules = { want = want, nextAt = nextAt, paused = false, holds = holds, take = take, finish = finish }
  if redis.call('EXISTS', keys.pauses) == 1 then
    local nextEnd
    scopes, nextEnd = pause_scopes.in_force()
    sooner(nextEnd)
  end
  tenantLimits = tenantLimits or redis.call('EXISTS', keys.throttled) == 1
  if tenantLimits then claim_limits.put_back_throttled() end
  if scopes and scopes['queue'] then
    rules.paused = true
    return rules
  end
  if settings.concurrency then at_most(tonumber(settings.concurrency) - redis.call('ZCARD', keys.inflight)) end
  if settings.rate then
    tokens, perSecond = claim_limits.bucket('queue', settings.rate)
    at_most(math.floor(tokens))
  end
  return rules
end
return { begin = begin }
