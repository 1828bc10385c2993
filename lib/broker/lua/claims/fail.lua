-- Ends claimed runs that failed: to `retry` after the caller's backoff, or dead when another run cannot or may not help.
-- KEYS: jobs ready inflight claims attempts retry dead deadBy deaths deadCounts groups redriven operations history unique uniqueUntil config limits running throttled counters minutes tallies wake events
-- ARGV: clock, then per job: id, token, delay in ms (-1: never again), class, code, json (with a print first: what its group goes by)
-- REPLY: per job: 1 retry, 2 dead, 3 already recorded by this token, 0 stale
local attempt_row = require('rows.attempt_row')
local capacity = require('claims.capacity')
local claim_row = require('rows.claim_row')
local history_log = require('rows.history_log')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local tallies = require('queues.tallies')
local ids, replies, retried, died = {}, {}, {}, {}
for i = 2, #ARGV, 6 do ids[#ids + 1] = ARGV[i] end
if #ids == 0 then return queue.commit(replies) end
local claims, rows, logs = redis.call('HMGET', keys.claims, unpack(ids)), redis.call('HMGET', keys.jobs, unpack(ids)), redis.call('HMGET', keys.history, unpack(ids))
local ended, gone, attempts, history, waits, lost = {}, {}, {}, {}, {}, 0
for i = 1, #ids do
  local at = 6 * i - 4
  local id, token, delay, class, code, json = ids[i], ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  local row, claim = rows[i], not ended[id] and claim_row.of_token(claims[i], token)
  if not claim then
    local _, _, _, _, last = attempt_row.parse(redis.call('HGET', keys.attempts, id))
    replies[i] = (ended[id] or last) == token and 3 or 0
  else
    gone[#gone + 1] = id
    ended[id] = token
    capacity.leave(claim.tenant)
    if not row then
      lost = lost + 1
      local dead_letters = require('dead.dead_letters')
      dead_letters.drop(id)
      replies[i] = 0
    else
      local priority, max, deadline, jobType, tenant = job_row.parse(row)
      tallies.add(jobType, tenant, 'f', 1)
      local due = queue.now + delay
      local tooLate = deadline and deadline ~= '0' and due > tonumber(deadline)
      local n = #attempts
      attempts[n + 1], attempts[n + 2] = id, attempt_row.format(claim.attempt, claim.deliveries, claim.losses, claim.redrives, claim.token)
      local again = priority and delay >= 0 and tonumber(claim.attempt) < tonumber(max) and not tooLate
      if again then
        waits[#waits + 1] = string.format('%d', due)
        waits[#waits + 1] = id
        retried[#retried + 1] = id
      else
        if delay >= 0 and tooLate then class = 'deadline' end
        local dead_letters = require('dead.dead_letters')
        -- What cannot be read cannot say which key it has.
        dead_letters.add(id, row, class, code, claim.attempt, json, nil, not priority and claim.unique)
        died[#died + 1] = id
      end
      history[n + 1], history[n + 2] = id, history_log.append(logs[i], history_log.format(again and 'failed' or 'dead', claim.deliveries, claim.claimedAt, claim.worker, class, code, json))
      replies[i] = again and 1 or 2
    end
  end
end
if #gone == 0 then return queue.commit(replies) end
redis.call('ZREM', keys.inflight, unpack(gone))
redis.call('HDEL', keys.claims, unpack(gone))
if #attempts > 0 then
  redis.call('HSET', keys.attempts, unpack(attempts))
  redis.call('HSET', keys.history, unpack(history))
end
if #waits > 0 then redis.call('ZADD', keys.retry, unpack(waits)) end
if lost > 0 then queue.count('deleted', lost) end
if #retried + #died > 0 then queue.count('failed', #retried + #died) end
if #retried > 0 then
  queue.total('retried', #retried)
  queue.emit('retry', retried)
end
if #died > 0 then
  queue.count('dead', #died)
  queue.emit('dead', died)
end
return queue.commit(replies)
