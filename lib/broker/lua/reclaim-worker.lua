-- Takes back at once everything a worker held that is known to be gone. Walks the claims in steps.
-- KEYS: jobs ready waiting inflight claims attempts dead deadBy deaths deadCounts groups driven operations history unique uniqueUntil fair limits config running throttled counters minutes events wake
-- ARGV: clock, worker id, scan cursor, error code, json
-- REPLY: next cursor ("0" at the end), returned to ready, died, then the ids
--@include count
--@include emit
--@include wake
--@include claims
--@include attempts
--@include history
--@include unique
--@include running
--@include bury
--@include ready
--@include lose
local found = redis.call('HSCAN', K_claims, ARGV[3], 'COUNT', 100)
local rows, back, died, reply = found[2], {}, {}, { found[1], 0, 0 }
for i = 1, #rows, 2 do
  local id, claim = rows[i], claim_of(rows[i + 1])
  if claim and claim.worker == ARGV[2] and redis.call('HDEL', K_claims, id) == 1 then
    redis.call('ZREM', K_inflight, id)
    local outcome = lose(id, claim, ARGV[4], ARGV[5])
    if outcome == 'dead' then died[#died + 1] = id elseif outcome == 'ready' then back[#back + 1] = id end
    reply[#reply + 1] = id
  end
end
book_slots()
book_deaths()
if #back + #died > 0 then count('reclaimed', #back + #died) end
if #back > 0 then
  emit('reclaimed', back, ARGV[2])
  wake()
end
if #died > 0 then emit('dead', died, ARGV[2]) end
reply[2] = #back
reply[3] = #died
return reply
