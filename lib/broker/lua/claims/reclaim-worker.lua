-- Takes back at once every job of a worker that has died. Scans the claims in steps.
-- KEYS: jobs ready waiting inflight claims attempts dead deadBy deaths deadCounts groups redriven operations history unique uniqueUntil fair limits config running throttled counters minutes tallies events wake
-- ARGV: clock, worker id, scan cursor, error code, json
-- REPLY: next cursor ("0" at the end), returned to ready, died, then the ids
local claim_row = require('rows.claim_row')
local keys = require('keys')
local lease_loss = require('claims.lease_loss')
local queue = require('queue')
local found = redis.call('HSCAN', keys.claims, ARGV[3], 'COUNT', 100)
local rows, back, died, reply = found[2], {}, {}, { found[1], 0, 0 }
for i = 1, #rows, 2 do
  local id, claim = rows[i], claim_row.parse(rows[i + 1])
  if claim and claim.worker == ARGV[2] and redis.call('HDEL', keys.claims, id) == 1 then
    redis.call('ZREM', keys.inflight, id)
    local outcome = lease_loss.apply(id, claim, ARGV[4], ARGV[5])
    if outcome == 'dead' then died[#died + 1] = id elseif outcome == 'ready' then back[#back + 1] = id end
    reply[#reply + 1] = id
  end
end
if #back + #died > 0 then queue.count('reclaimed', #back + #died) end
if #back > 0 then
  queue.emit('reclaimed', back, ARGV[2])
  queue.wake()
end
if #died > 0 then queue.emit('dead', died, ARGV[2]) end
reply[2] = #back
reply[3] = #died
return queue.commit(reply)
