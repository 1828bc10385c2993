-- A worker's heartbeat: extends the leases it still holds. Never revives one that is lost.
-- KEYS: inflight claims
-- ARGV: clock, lease in ms, then per job: id, token
-- REPLY: per job: 1 extended, 0 stale
local claim_row = require('rows.claim_row')
local clock = require('redis.clock')
local keys = require('keys')
local ids, lease = {}, tonumber(ARGV[2])
for i = 3, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
local rows = redis.call('HMGET', keys.claims, unpack(ids))
local replies, leases = {}, {}
for i = 1, #ids do
  local mine = claim_row.has_token(rows[i], ARGV[2 * i + 2])
  if mine then
    leases[#leases + 1] = clock.now + lease
    leases[#leases + 1] = ids[i]
  end
  replies[i] = mine and 1 or 0
end
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
if #leases > 0 then
  redis.call('ZREM', keys.inflight, '')
  redis.call('ZADD', keys.inflight, 'XX', unpack(leases))
end
return replies
