-- Gives claimed jobs back unrun, without burning an attempt: to their old place in line, or for a while into `retry`.
-- KEYS: ready waiting retry inflight claims attempts history config running throttled counters minutes events wake
-- ARGV: clock, then per job: id, token, delay in ms (0: back in line at once)
-- REPLY: per job: 1 released, 2 already released by this token, 0 stale
--@include count
--@include emit
--@include wake
--@include claims
--@include attempts
--@include released
--@include running
local replies, back, later = {}, {}, {}
for i = 2, #ARGV, 3 do
  local id, token, delay = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2])
  local held = redis.call('HGET', K_claims, id)
  if holds(held, token) and claim_of(held) then
    local claim = claim_of(held)
    redis.call('ZREM', K_inflight, id)
    redis.call('HDEL', K_claims, id)
    leaves_flight(claim.tenant)
    set_tries(id, claim.attempt - 1, claim.deliveries, claim.losses, claim.redrives, 'released:' .. claim.token)
    if delay > 0 then
      redis.call('ZADD', K_retry, now + delay, id)
      later[#later + 1] = id
    else
      redis.call('ZADD', K_ready, claim.score, id)
      redis.call('ZADD', K_waiting, now, id)
      back[#back + 1] = id
    end
    remember_release(id, claim, '{}')
    replies[#replies + 1] = 1
  else
    local _, _, _, _, last = tries(redis.call('HGET', K_attempts, id))
    replies[#replies + 1] = last == 'released:' .. token and 2 or 0
  end
end
book_slots()
if #back + #later > 0 then count('released', #back + #later) end
if #later > 0 then emit('postponed', later) end
if #back > 0 then
  emit('released', back)
  wake()
end
return replies
