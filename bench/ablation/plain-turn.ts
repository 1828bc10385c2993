/** Acknowledges and claims in one call, as plainly as it can be written. See compose-script.ts for the marks. */

/**
 * ARGV: how many to claim, nonce (fresh for every call), lease in ms, worker id, then per job done: id, token (and with the
 * piece `history` its result).
 * REPLY: how many acknowledgements counted, ids claimed, their rows (and with the piece `attempts` their delivery, attempt
 * and lost leases).
 */
export const PLAIN_TURN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since = string.format('%.0f', now)
local want, nonce, lease, worker = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local minute = math.floor(now / 60000) --@minutes
local paused, keep
  , concurrency, rate, tenantLimits --@limits
  , fair --@fairness
  , unique --@unique
  = unpack(redis.call('HMGET', keys.config, 'paused', 'completedKeep'
  , 'concurrency', 'rate', 'tenantLimits' --@limits
  , 'fair' --@fairness
  , 'unique' --@unique
))
--{ events
local function emit(event, ids)
  redis.call('XADD', keys.events, 'MAXLEN', '~', 1000, '*', 'e', event, 'n', #ids, 'ids', table.concat(ids, ',', 1, math.min(#ids, 20)), 'w', worker)
end
--}
local running = {} --@limits
local acked = 0
if #ARGV > 4 then
  local width = 2
  width = 3 --@history
  local ids = {}
  for i = 5, #ARGV, width do ids[#ids + 1] = ARGV[i] end
  local claims = redis.call('HMGET', keys.claims, unpack(ids))
  local done, completed = {}, {}
  local results, bytes = {}, 0 --@history
  local again = {} --@attempts
  local sum, tally = 0, {} --@tallies
  for i = 1, #ids do
    local id, claim, token = ids[i], claims[i], ARGV[5 + width * (i - 1) + 1]
    if claim and string.sub(claim, 1, #token + 1) == token .. ' ' then
      acked = acked + 1
      done[acked] = id
      completed[2 * acked - 1], completed[2 * acked] = since, id
      --{ history|tallies
      local claimedAt
        , attempt --@attempts
        , size, upto --@history
        = string.match(claim, '^%S+ %S+ (%d+) '
        .. '(%d+) %d+ %d+ ' --@attempts
        .. '(%d+) ()' --@history
      )
      --}
      --{ history
      local result = string.sub(claim, 1, upto - 1) .. ARGV[5 + width * (i - 1) + 2]
      results[2 * acked - 1], results[2 * acked] = id, result
      bytes = bytes + size + #result
      --}
      if string.sub(token, 1, 2) ~= '1-' then again[#again + 1] = id end --@attempts
      --{ tallies
      local took = now - claimedAt
      sum = sum + took
      if took > 5 then
        local bucket = took <= 10 and 10 or took <= 25 and 25 or took <= 50 and 50 or took <= 100 and 100 or took <= 500 and 500 or took <= 2500 and 2500 or took <= 10000 and 10000 or 'inf'
        tally['run:' .. bucket] = (tally['run:' .. bucket] or 0) + 1
      end
      if attempt ~= '1' then tally['attempt:' .. attempt] = (tally['attempt:' .. attempt] or 0) + 1 end
      --}
      --{ limits
      if tenantLimits then
        local tenant = string.match(claim, ' t=(%S+)')
        running[tenant] = (running[tenant] or 0) - 1
      end
      --}
      --{ unique
      if unique then
        local key = string.match(claim, ' u=[cd]:%d+:(%S+)$')
        if key and string.match(redis.call('HGET', keys.unique, key) or '', '^(%S+)') == id then
          redis.call('HDEL', keys.unique, key)
          redis.call('ZREM', keys.uniqueUntil, key)
        end
      end
      --}
    end
  end
  if acked > 0 then
    redis.call('ZREM', keys.inflight, unpack(done))
    redis.call('HDEL', keys.claims, unpack(done))
    if #again > 0 then redis.call('HDEL', keys.attempts, unpack(again)) end --@attempts
    redis.call('ZADD', keys.completed, unpack(completed))
    redis.call('HSET', keys.results, unpack(results)) --@history
    redis.call('HINCRBY', keys.counters, 'completed', acked)
    redis.call('HINCRBY', keys.counters, 'completedBytes', bytes) --@history
    redis.call('HINCRBY', keys.minutes, minute .. ':completed', acked) --@minutes
    --{ tallies
    if sum > 0 then redis.call('HINCRBY', keys.counters, 'run:sum', sum) end
    for field, n in pairs(tally) do redis.call('HINCRBY', keys.counters, field, n) end
    --}
    emit('completed', done) --@events
    local over = redis.call('ZCARD', keys.completed) - (keep or 1000)
    if over > 100 then
      local old, gone = redis.call('ZPOPMIN', keys.completed, math.min(over, 250)), {}
      for i = 1, #old, 2 do gone[#gone + 1] = old[i] end
      --{ history
      local rows, left, size = redis.call('HMGET', keys.results, unpack(gone)), {}, 0
      for i = 1, #rows do
        if rows[i] then
          local token, length = string.match(rows[i], '^(%S+) %S+ %d+ '
            .. '%d+ %d+ %d+ ' --@attempts
            .. '(%d+) ')
          size = size + length + #rows[i]
          left[#left + 1], left[#left + 2] = gone[i], string.sub(token, -12)
        end
      end
      redis.call('HINCRBY', keys.counters, 'completedBytes', -size)
      redis.call('HDEL', keys.results, unpack(gone))
      local began = redis.call('HGET', keys.finished, '.since')
      if began and (now - began > 600000 or redis.call('HLEN', keys.finished) > 500000) then
        redis.call('UNLINK', keys.finishedBefore)
        redis.call('RENAME', keys.finished, keys.finishedBefore)
      end
      redis.call('HSETNX', keys.finished, '.since', since)
      redis.call('HSET', keys.finished, unpack(left))
      --}
      redis.call('HDEL', keys.jobs, unpack(gone))
      redis.call('HINCRBY', keys.counters, 'deleted', #gone)
      redis.call('HINCRBY', keys.minutes, minute .. ':deleted', #gone) --@minutes
      emit('trimmed', gone) --@events
    end
  end
end
local ids, rows, leases, claims = {}, {}, {}, {}
local tries = {} --@attempts
if want > 0 and not paused then
  local due = redis.call('ZRANGE', keys.scheduled, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
  for i = 1, #due do
    redis.call('ZREM', keys.scheduled, due[i])
    redis.call('ZADD', keys.ready, 1000 * 2199023255552 + redis.call('HINCRBY', keys.counters, 'seq', 1), due[i])
  end
  --{ limits
  local tokens
  if concurrency then want = math.min(want, concurrency - redis.call('ZCARD', keys.inflight)) end
  if rate then
    local perSecond, burst = string.match(rate, '^(%S+) (%S+)$')
    local before, at = string.match(redis.call('HGET', keys.limits, 'queue') or '', '^(%S+) (%d+)$')
    tokens = before and math.min(burst, before + math.max(0, now - at) * perSecond / 1000) or tonumber(burst)
    want = math.min(want, math.floor(tokens))
  end
  --}
  local popped = want > 0 and redis.call('ZPOPMIN', keys.ready, want) or {}
  local asked = {}
  for i = 1, #popped, 2 do asked[#asked + 1] = popped[i] end
  if #asked > 0 then
    local read = redis.call('HMGET', keys.jobs, unpack(asked))
    local tried = redis.call('EXISTS', keys.attempts) == 1 and redis.call('HMGET', keys.attempts, unpack(asked)) --@attempts
    local dead = {} --@deadline
    local times = {} --@fairness
    local ends = string.format('%.0f', now + lease)
    local first = nonce .. ' ' .. worker .. ' ' .. since .. ' '
    first = '1-' .. first .. '1 0 0 ' --@attempts
    for i = 1, #asked do
      local id, row, score = asked[i], read[i], popped[2 * i]
      local runs = row
      --{ deadline
      local priority, deadline, tenant, spec = string.match(row or '', '^1 (%-?%d+) %d+ (%d+) %d+ %S+ %d+ (%S+) ?([^\\n]*)\\n')
      runs = priority and (deadline == '0' or tonumber(deadline) > now)
      if row and not runs then dead[#dead + 1], dead[#dead + 2] = since, id end
      --}
      if runs then
        local n = #ids + 1
        ids[n], rows[n] = id, row
        local claim = first
        --{ attempts
        local before = tried and tried[i]
        local attempt, delivery, lost = 1, 1, 0
        if before then
          attempt, delivery, lost = string.match(before, '^(%d+) (%d+) (%d+)')
          attempt, delivery = attempt + 1, delivery + 1
          claim = delivery .. '-' .. nonce .. ' ' .. worker .. ' ' .. since .. ' ' .. attempt .. ' ' .. lost .. ' 0 '
        end
        tries[3 * n - 2], tries[3 * n - 1], tries[3 * n] = delivery, attempt, lost
        --}
        leases[2 * n - 1], leases[2 * n] = ends, id
        claim = claim .. #row .. ' ' --@history
        claim = claim .. score
        --{ limits
        if tenantLimits then
          local tenant = string.match(row, '^1 %S+ %S+ %S+ %S+ %S+ %S+ ([^ \\n]+)')
          running[tenant] = (running[tenant] or 0) + 1
          claim = claim .. ' t=' .. tenant
        end
        --}
        --{ unique
        if unique then
          local spec = string.match(row, '^[^\\n]* u=([^\\n]+)')
          if spec then claim = claim .. ' u=' .. spec end
        end
        --}
        --{ fairness
        if fair then
          local priority = string.match(row, '^1 (%-?%d+)')
          local tag = score - (1000 - priority) * 2199023255552
          if tag > (times[priority] or -1) then times[priority] = tag end
        end
        --}
        claims[2 * n - 1], claims[2 * n] = id, claim
      end
    end
    redis.call('ZREM', keys.waiting, unpack(asked))
    --{ deadline
    if #dead > 0 then
      redis.call('ZADD', keys.dead, unpack(dead))
      redis.call('HINCRBY', keys.counters, 'dead', #dead / 2)
    end
    --}
    --{ fairness
    for priority, tag in pairs(times) do
      local base = (1000 - priority) * 2199023255552
      if tag > tonumber(redis.call('HGET', keys.limits, 'v:' .. priority) or 0) then redis.call('HSET', keys.limits, 'v:' .. priority, string.format('%.0f', tag)) end
      local past = redis.call('ZRANGE', keys.fair, base, base + tag, 'BYSCORE', 'LIMIT', 0, 50)
      if #past > 0 then redis.call('ZREM', keys.fair, unpack(past)) end
    end
    --}
  end
  if #ids > 0 then
    redis.call('ZADD', keys.inflight, unpack(leases))
    redis.call('HSET', keys.claims, unpack(claims))
    redis.call('HINCRBY', keys.counters, 'claimed', #ids)
    redis.call('HINCRBY', keys.minutes, minute .. ':claimed', #ids) --@minutes
    if tokens then redis.call('HSET', keys.limits, 'queue', string.format('%.6f %.0f', tokens - #ids, now)) end --@limits
    emit('claimed', ids) --@events
    if redis.call('ZCARD', keys.ready) > 0 then redis.call('ZADD', keys.wake, 0, '1') end
  end
end
--{ limits
for tenant, n in pairs(running) do
  if n ~= 0 then redis.call('HINCRBY', keys.running, tenant, n) end
end
--}
return { acked, ids, rows
  , tries --@attempts
}
`;
