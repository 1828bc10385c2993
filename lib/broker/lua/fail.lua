-- Ends claimed runs that failed: to `retry` after the caller's backoff, or dead when another run cannot or may not help.
-- KEYS: jobs ready inflight claims attempts retry dead deadBy deaths deadCounts groups driven operations history unique uniqueUntil config running throttled counters minutes wake events
-- ARGV: clock, then per job: id, token, delay in ms (-1: never again), class, code, json (with a print first: what its group goes by)
-- REPLY: per job: 1 retry, 2 dead, 3 already recorded by this token, 0 stale
--@include count
--@include emit
--@include claims
--@include attempts
--@include row
--@include history
--@include unique
--@include running
--@include bury
local ids, replies, retried, died = {}, {}, {}, {}
for i = 2, #ARGV, 6 do ids[#ids + 1] = ARGV[i] end
if #ids == 0 then return replies end
local claims, rows, logs = redis.call('HMGET', K_claims, unpack(ids)), redis.call('HMGET', K_jobs, unpack(ids)), redis.call('HMGET', K_history, unpack(ids))
local ended, gone, attempts, history, waits, lost = {}, {}, {}, {}, {}, 0
for i = 1, #ids do
  local at = 6 * i - 4
  local id, token, delay, class, code, json = ids[i], ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  local held, row = claims[i], rows[i]
  if ended[id] or not (holds(held, token) and claim_of(held)) then
    local _, _, _, _, last = tries(redis.call('HGET', K_attempts, id))
    replies[i] = (ended[id] or last) == token and 3 or 0
  else
    local claim = claim_of(held)
    gone[#gone + 1] = id
    ended[id] = token
    leaves_flight(claim.tenant)
    if not row then
      lost = lost + 1
      settle_driven(id, 'deleted')
      replies[i] = 0
    else
      local priority, max, deadline = header(row)
      local due = now + delay
      local tooLate = tonumber(deadline or 0) > 0 and due > tonumber(deadline or 0)
      attempts[#attempts + 1] = id
      attempts[#attempts + 1] = tries_row(claim.attempt, claim.deliveries, claim.losses, claim.redrives, claim.token)
      local again = priority and delay >= 0 and claim.attempt < tonumber(max) and not tooLate
      if again then
        waits[#waits + 1] = string.format('%.0f', due)
        waits[#waits + 1] = id
        retried[#retried + 1] = id
      else
        if delay >= 0 and tooLate then class = 'deadline' end
        -- What cannot be read cannot say which key it has.
        if not priority then free_unique(claim.unique, id, 'cd') end
        bury(id, row, class, code, claim.attempt, print_of(json))
        died[#died + 1] = id
      end
      history[#history + 1] = id
      history[#history + 1] = with_line(logs[i], history_line(again and 'failed' or 'dead', claim.deliveries, claim.claimedAt, claim.worker, class, code, json))
      replies[i] = again and 1 or 2
    end
  end
end
if #gone == 0 then return replies end
redis.call('ZREM', K_inflight, unpack(gone))
redis.call('HDEL', K_claims, unpack(gone))
if #attempts > 0 then
  redis.call('HSET', K_attempts, unpack(attempts))
  redis.call('HSET', K_history, unpack(history))
end
if #waits > 0 then redis.call('ZADD', K_retry, unpack(waits)) end
book_slots()
book_deaths()
if lost > 0 then count('deleted', lost) end
if #retried + #died > 0 then count('failed', #retried + #died) end
if #retried > 0 then
  redis.call('HINCRBY', K_counters, 'retried', #retried)
  emit('retry', retried)
end
if #died > 0 then
  count('dead', #died)
  emit('dead', died)
end
return replies
