-- Gives back the jobs of a claim whose reply never arrived: to their old place, and the attempt is not counted.
--@include claims
--@include attempts
--@include released
--@include running
local returned = {}
local function give_back(id, claim)
  if redis.call('HDEL', K_claims, id) == 0 then return end
  redis.call('ZREM', K_inflight, id)
  leaves_flight(claim.tenant)
  set_tries(id, claim.attempt - 1, claim.deliveries, claim.losses, claim.redrives, 'released:' .. claim.token)
  redis.call('ZADD', K_ready, claim.score, id)
  redis.call('ZADD', K_waiting, now, id)
  remember_release(id, claim, '{"reason":"the reply to its claim was lost"}')
  returned[#returned + 1] = id
end
local function book_returned()
  book_slots()
  if #returned == 0 then return end
  count('released', #returned)
  emit('released', returned)
  wake()
end
