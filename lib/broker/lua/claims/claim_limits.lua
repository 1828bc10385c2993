-- Limits on what a claim may hand out. A rate is a token bucket, kept in `limits` as "<tokens> <at>": tokens run in with
-- Redis's time up to the burst, and each claim takes one. A concurrency limit counts the jobs in flight.
local clock = require('redis.clock')
local held_jobs = require('jobs.held_jobs')
local keys = require('keys')
local pause_scopes = require('queues.pause_scopes')
local FAR = 5000
-- Tokens in a bucket now, and how fast they run in.
local function bucket(field, rate)
  local perSecond, burst = string.match(rate, '^(%S+) (%S+)$')
  perSecond, burst = tonumber(perSecond), tonumber(burst)
  -- A setting that is none of ours limits nothing.
  if not perSecond or not burst then return 1000, 1000 end
  local tokens, at = string.match(redis.call('HGET', keys.limits, field) or '', '^(%S+) (%d+)$')
  -- A clock that went back adds nothing, and takes nothing away.
  tokens = tokens and math.min(burst, tonumber(tokens) + math.max(0, clock.now - at) * perSecond / 1000) or burst
  return tokens, perSecond
end
local function next_token(tokens, perSecond)
  return clock.now + math.max(1, math.ceil((1 - tokens) * 1000 / perSecond))
end
local function spend(field, tokens)
  redis.call('HSET', keys.limits, field, string.format('%.6f %.0f', tokens, clock.now))
end
-- What a tenant may still have. Read once a script; `room` (and its tokens) go down as jobs are handed out.
local tenants, defaults = {}, nil
local function tenant_room(tenant)
  local t = tenants[tenant]
  if t then return t end
  if not defaults then defaults = redis.call('HMGET', keys.config, 'tenantRate', 'tenantConcurrency') end
  local own = redis.call('HMGET', keys.config, 'tenantRate:' .. tenant, 'tenantConcurrency:' .. tenant)
  -- '-': an exception that lifts the default.
  local rate, limit = own[1] or defaults[1] or '-', own[2] or defaults[2] or '-'
  t = { room = 1000, taken = 0 }
  if limit ~= '-' then t.room = math.max(0, (tonumber(limit) or 1000) - (tonumber(redis.call('HGET', keys.running, tenant) or 0) or 0)) end
  if rate ~= '-' then
    t.tokens, t.perSecond = bucket('rate:' .. tenant, rate)
    t.room = math.min(t.room, math.floor(t.tokens))
  end
  tenants[tenant] = t
  return t
end
-- The same for a job that was next in line. While earlier jobs of its tenant stand aside it waits with them, or it would
-- overtake them.
local function room(tenant)
  local t = tenants[tenant]
  if t then return t end
  t = tenant_room(tenant)
  if redis.call('ZSCORE', keys.throttled, tenant) then t.room = 0 end
  return t
end
-- Jobs of tenants that may have room again go back to their places. At most 20 tenants and 100 jobs a call; the others come next.
local function put_back_throttled()
  local due = redis.call('ZRANGE', keys.throttled, '-inf', clock.now, 'BYSCORE', 'LIMIT', 0, 20)
  local left = 100
  for i = 1, #due do
    local t = tenant_room(due[i])
    local want = math.min(t.room, left)
    if want > 0 then left = left - held_jobs.put_back('limit:' .. due[i], want) end
    local before = pause_scopes.first_held('limit:' .. due[i])
    if before == 0 then
      redis.call('ZREM', keys.throttled, due[i])
    else
      -- Those still aside come before what is in line behind the ones put back; and where one that was put back steps aside
      -- again, for a pause, its room is not for one that comes after them.
      t.more = t.room > want
      t.room = want
      t.waits = true
      t.before = before
    end
  end
end
-- At the end: what was taken is booked, and tenants that still wait are looked at again when there is a token. Where a slot is
-- waited for, the end of a run brings the next check forward (capacity.lua), and FAR is the safety net.
local function save_tenants()
  -- A removal first, even of nothing, so that this works when memory is full (ADR 11).
  redis.call('ZREM', keys.throttled, '')
  for tenant, t in pairs(tenants) do
    local tokens = t.tokens and t.tokens - t.taken
    if tokens and t.taken > 0 then spend('rate:' .. tenant, tokens) end
    -- One that stood aside before this call keeps its time, or jobs arriving in line would put it off for ever.
    if t.waits or t.aside then
      local lookAt = tokens and tokens < 1 and next_token(tokens, t.perSecond) or clock.now + FAR
      -- Room is left, for jobs this call put back and did not want, or for more than it may put back.
      if t.waits and (t.room > 0 or t.more) then lookAt = clock.now end
      redis.call('ZADD', keys.throttled, t.waits and 'XX' or 'NX', math.min(lookAt, clock.now + FAR), tenant)
    end
  end
end
return { bucket = bucket, next_token = next_token, spend = spend, room = room, put_back_throttled = put_back_throttled, save_tenants = save_tenants }
