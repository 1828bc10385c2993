-- Gives claimed jobs back unrun, to their old place in line, without burning an attempt.
-- KEYS: ready waiting inflight claims attempts history counters minutes events wake
-- ARGV: clock, then per job: id, token
-- REPLY: per job: 1 released, 2 already released by this token, 0 stale
--@include count
--@include emit
--@include wake
--@include claims
--@include attempts
--@include history
local replies, back = {}, {}
for i = 2, #ARGV, 2 do
  local id, token = ARGV[i], ARGV[i + 1]
  local held = redis.call('HGET', K_claims, id)
  if holds(held, token) and claim_of(held) then
    local claim = claim_of(held)
    redis.call('ZREM', K_inflight, id)
    redis.call('HDEL', K_claims, id)
    set_tries(id, claim.attempt - 1, claim.deliveries, claim.losses, claim.redrives, 'released:' .. claim.token)
    redis.call('ZADD', K_ready, claim.score, id)
    redis.call('ZADD', K_waiting, now, id)
    remember(id, 'released', claim.deliveries, claim.claimedAt, claim.worker, '-', '-', '{}')
    back[#back + 1] = id
    replies[#replies + 1] = 1
  else
    local _, _, _, _, last = tries(redis.call('HGET', K_attempts, id))
    replies[#replies + 1] = last == 'released:' .. token and 2 or 0
  end
end
if #back > 0 then
  count('released', #back)
  emit('released', back)
  wake()
end
return replies
