-- Hands out up to `count` ready jobs under a lease. Promotes due jobs first, so a busy queue needs no scheduler.
-- While the queue is paused nothing is handed out; jobs of a paused tenant or type step aside into `held`.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths history pauses counters minutes wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call)
-- REPLY: status (1 open, 0 paused), more ready (1/0), next time something falls due (ms, 0 none), now, then per job: id, delivery, attempt, lease losses, row
--@include count
--@include emit
--@include wake
--@include history
--@include attempts
--@include bury
--@include held
--@include pauses
--@include due
promote_due(100)
local scopes, nextAt = live_pauses(200)
local function sooner(key)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  local at = first[2] and tonumber(first[2])
  if at and (nextAt == 0 or at < nextAt) then nextAt = at end
end
sooner(K_scheduled)
sooner(K_retry)
if scopes and scopes['queue'] then return { 0, 0, nextAt, now } end

local function holds_back(scope, score)
  return scopes[scope] and tonumber(score) >= scopes[scope] and scope
end
local want, lease, worker, nonce = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local reply, ids, left = { 1, 0, nextAt, now }, {}, {}
local leases, claims = {}, {}
-- Large payloads end a claim early: it answers that more is ready instead of holding Redis.
local budget, ghosts, expired, bytes = 500, 0, {}, 0
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
    local attempt, deliveries, losses, redrives, token = tries(tried[i])
    left[#left + 1] = id
    if not row then
      ghosts = ghosts + 1
    else
      bytes = bytes + #row
      local priority, _, deadline, jobType, tenant = header(row)
      local scope = scopes and priority and (holds_back('tenant:' .. tenant, score) or holds_back('type:' .. jobType, score))
      if not priority then
        remember(id, 'dead', deliveries, 0, '-', 'malformed', 'ROW_UNREADABLE', '{"message":"The stored row is not a Redrive envelope."}')
        bury(id, 'unknown', 'unknown', 'malformed', 'ROW_UNREADABLE')
        expired[#expired + 1] = id
      elseif tonumber(deadline) > 0 and tonumber(deadline) <= now then
        remember(id, 'dead', deliveries, 0, '-', 'deadline', 'DEADLINE_PASSED', '{"message":"Its deadline passed before it could be claimed."}')
        bury(id, jobType, tenant, 'deadline', 'DEADLINE_PASSED')
        expired[#expired + 1] = id
      elseif scope then
        hold(scope, score, id)
      else
        deliveries = deliveries + 1
        attempt = attempt + 1
        ids[#ids + 1] = id
        leases[#leases + 1] = now + lease
        leases[#leases + 1] = id
        claims[#claims + 1] = id
        claims[#claims + 1] = deliveries .. '-' .. nonce .. ' ' .. worker .. ' ' .. now .. ' ' .. attempt .. ' ' .. losses .. ' ' .. redrives .. ' ' .. score
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
if #expired > 0 then
  count('dead', #expired)
  emit('dead', expired)
end
if #ids > 0 then
  redis.call('ZADD', K_inflight, unpack(leases))
  redis.call('HSET', K_claims, unpack(claims))
  count('claimed', #ids)
  emit('claimed', ids, worker)
end
if redis.call('ZCARD', K_ready) > 0 then
  reply[2] = 1
  wake()
end
return reply
