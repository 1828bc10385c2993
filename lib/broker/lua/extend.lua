-- A worker's heartbeat: extends the leases it still holds. Never revives one that is lost.
-- KEYS: inflight claims
-- ARGV: clock, lease in ms, then per job: id, token
-- REPLY: per job: 1 extended, 0 stale
--@include now
--@include claims
local ids, lease = {}, tonumber(ARGV[2])
for i = 3, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
local rows = redis.call('HMGET', K_claims, unpack(ids))
local replies, leases = {}, {}
for i = 1, #ids do
  local mine = holds(rows[i], ARGV[2 * i + 2])
  if mine then
    leases[#leases + 1] = now + lease
    leases[#leases + 1] = ids[i]
  end
  replies[i] = mine and 1 or 0
end
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
if #leases > 0 then
  redis.call('ZREM', K_inflight, '')
  redis.call('ZADD', K_inflight, 'XX', unpack(leases))
end
return replies
