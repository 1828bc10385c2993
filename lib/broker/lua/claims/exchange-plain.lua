-- The exchange, or the claim if there is nothing to complete, of a queue without limits, fairness, pauses, unique keys, delayed jobs and
-- retries. Redis runs every line on every call, so the script has no functions. Where it cannot serve the queue it changes nothing, and
-- the caller runs exchange.lua.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry pauses throttled completed results finished finishedBefore history deaths config running counters minutes tallies wake events
-- ARGV: clock, count (1..500), lease in ms, worker id, nonce (fresh for every call), then the jobs to complete, none twice: see completion.lua
-- REPLY: 0 nothing was done | more jobs are ready (1/0), now, sizes ('' where no job was ready) and then rows as claim_jobs.lua replies: all were completed
local clock = require('redis.clock')
local duration_buckets = require('queues.duration_buckets')
local job_row = require('rows.job_row')
local keys = require('keys')
local lease_ends = require('claims.lease_ends')
local queue = require('queue')
local reply_rows = require('claims.reply_rows')
local call, find, match, format = redis.call, string.find, string.match, string.format
local config = call('HMGET', keys.config, 'completedKeep', 'completedKeepMs', 'completedKeepBytes', 'tenantLimits', 'concurrency', 'rate', 'fair')
if config[2] or config[3] or config[4] or config[5] or config[6] or config[7] then return queue.commit(0) end
if call('EXISTS', keys.scheduled, keys.retry, keys.pauses, keys.throttled, keys.attempts) > 0 then return queue.commit(0) end
local now, since, last = clock.now, clock.text, 7 + ARGV[6]
local claims = last > 7 and call('HMGET', keys.claims, unpack(ARGV, 8, last))
local results
for i = last + 1, #ARGV, 2 do
  results = results or {}
  results[tonumber(ARGV[i])] = ARGV[i + 1]
end
-- Tables that one job fills are made with room for it.
local completed, outcomes, running, n = { nil, nil }, { nil, nil }, {}, 0
local sum, bytes, runs, start, upto, took, bucket = 0, 0, nil, nil, nil, nil, nil
for token, count in string.gmatch(ARGV[7], '(%S+) (%d+)') do
  for _ = 1, count do
    local id, row = ARGV[8 + n], claims[n + 1]
    if not row then return queue.commit(0) end
    -- What all rows of one claim call begin with is read once.
    if not start or find(row, start, 1, true) ~= 1 then
      local held, claimedAt, rest = match(row, '^(1%-%S+) %S+ (%d+) 1 0 0 ()')
      if held ~= token then return queue.commit(0) end
      start, upto, took = string.sub(row, 1, rest - 1), rest, now - claimedAt
      bucket = duration_buckets.bucket_of('run:', took)
    end
    local size, tenant = match(row, '^(%d+) (%S+) %S+$', upto)
    if not size then return queue.commit(0) end
    n = n + 1
    if results and results[n] then row = row .. '\n' .. results[n] end
    sum, bytes = sum + took, bytes + size + #row
    running[tenant] = (running[tenant] or 0) - 1
    completed[2 * n - 1], completed[2 * n] = since, id
    outcomes[2 * n - 1], outcomes[2 * n] = id, row
    if bucket then
      runs = runs or {}
      runs[bucket] = (runs[bucket] or 0) + 1
    end
  end
  start = nil
end
local want, taken, size, first = tonumber(ARGV[2]), 0, 0, nil
-- Ids, leases (when they end and ids, in turn) and rows of each round. Lists that Redis replied become what they are needed for.
local rounds, sizes, entered, tenants = { nil }, { nil, nil }, { nil, nil }, {}
local line, tenant, lengthBefore, text = nil, nil, nil, nil
local leaseUntil, begin = format('%d', now + ARGV[3]), '1-' .. ARGV[5] .. ' ' .. ARGV[4] .. ' ' .. since .. ' 1 0 0 '
while taken < want and size < 524288 do
  -- Large payloads end a claim early. The first twenty tell how large they are.
  local asked = math.min(want - taken, 200, taken == 0 and 20 or math.max(1, math.floor((524288 - size) * taken / size)))
  local leases = call('ZPOPMIN', keys.ready, asked)
  local got = #leases / 2
  if got == 0 then break end
  local ids = { nil }
  for i = 1, got do ids[i] = leases[2 * i - 1] end
  local rows = call('HMGET', keys.jobs, unpack(ids))
  for i = 1, got do
    local id, row = ids[i], rows[i]
    if row and not (line and find(row, line, 1, true) == 1) then
      line = string.sub(row, 1, find(row, '\n', 1, true) or 0)
      tenant = tenants[line]
      if tenant == nil then
        local priority, _, deadline, jobType, of, unique = job_row.parse(line)
        tenant = priority and (deadline == '0' or tonumber(deadline) > now) and not unique and of or false
        tenants[line], first = tenant, first or { jobType, of }
      end
    end
    if not row or not tenant then
      -- All go back to where they were.
      local back = {}
      for k = 1, taken do back[2 * k - 1], back[2 * k] = match(entered[2 * k], '%S+$'), entered[2 * k - 1] end
      for k = i, got do back[#back + 1], back[#back + 2] = leases[2 * k], ids[k] end
      call('ZADD', keys.ready, unpack(back))
      return queue.commit(0)
    end
    taken = taken + 1
    local length = #row
    if length ~= lengthBefore then
      lengthBefore, text = length, format('%d', length)
    end
    size = size + length
    running[tenant] = (running[tenant] or 0) + 1
    entered[2 * taken - 1], entered[2 * taken] = id, begin .. text .. ' ' .. tenant .. ' ' .. leases[2 * i]
    sizes[2 * taken - 1], sizes[2 * taken] = id, text
    leases[2 * i - 1], leases[2 * i] = leaseUntil, id
  end
  rounds[#rounds + 1] = { ids, leases, rows }
  if got < asked then break end
end
if n + taken == 0 then return queue.commit({ 0, now, '' }) end
-- New jobs come before the old ones go, so that no key ends and begins anew.
local readyAt = taken > 0 and call('ZSCORE', keys.waiting, entered[1])
for i = 1, #rounds do
  call('ZREM', keys.waiting, unpack(rounds[i][1]))
  lease_ends.add(rounds[i][2])
end
if taken > 0 then call('HSET', keys.claims, unpack(entered)) end
if n > 0 then
  call('ZREM', keys.inflight, unpack(ARGV, 8, last))
  call('HDEL', keys.claims, unpack(ARGV, 8, last))
  call('ZADD', keys.completed, unpack(completed))
  call('HSET', keys.results, unpack(outcomes))
end
for of, change in pairs(running) do
  if change ~= 0 and call('HINCRBY', keys.running, of, change) <= 0 then call('HDEL', keys.running, of) end
end
local minute, out, into = format('%d:', now / 60000), ARGV[6], taken == 1 and '1' or format('%d', taken)
if taken > 0 then
  call('HINCRBY', keys.counters, 'claimed', into)
  call('HINCRBY', keys.minutes, minute .. 'claimed', into)
end
if n > 0 then
  call('HINCRBY', keys.counters, 'completed', out)
  call('HINCRBY', keys.counters, 'completedBytes', format('%d', bytes))
  call('HINCRBY', keys.minutes, minute .. 'completed', out)
  if sum > 0 then call('HINCRBY', keys.counters, 'run:sum', format('%d', sum)) end
end
for field, count in pairs(runs or {}) do
  call('HINCRBY', keys.counters, field, count)
  call('HINCRBY', keys.minutes, minute .. field, count)
end
local wait = readyAt and duration_buckets.bucket_of('wait:', now - readyAt)
if wait then
  call('HINCRBY', keys.counters, wait, into)
  call('HINCRBY', keys.minutes, minute .. wait, into)
end
for i = 1, taken > 0 and 2 or 0 do
  local isOf = i == 1 and 't:' .. first[1] or first[2] ~= 'default' and 'n:' .. first[2]
  if isOf and call('HINCRBY', keys.tallies, isOf .. ':c', into) == taken then
    local tallies = require('queues.tallies')
    tallies.bound(isOf .. ':c', taken)
  end
end
local ended = n > 0 and table.concat(ARGV, ',', 8, math.min(last, 27))
-- The first round has the twenty that are named.
local names = taken == 1 and entered[1] or taken > 0 and table.concat(rounds[1][1], ',')
if ended and names then
  -- One entry for both: see queue-movements.ts.
  call('XADD', keys.events, 'MAXLEN', '~', '1000', '*', 'e', 'completed', 'n', out, 'ids', ended,
    'w', '', 'claimed', into, 'claimedIds', names, 'claimedBy', ARGV[4])
elseif ended then
  call('XADD', keys.events, 'MAXLEN', '~', '1000', '*', 'e', 'completed', 'n', out, 'ids', ended, 'w', '')
else
  call('XADD', keys.events, 'MAXLEN', '~', '1000', '*', 'e', 'claimed', 'n', into, 'ids', names, 'w', ARGV[4])
end
local more = call('ZCARD', keys.ready) > 0 and 1 or 0
if more == 1 then call('ZADD', keys.wake, '0', '1') end
local keep = tonumber(config[1] or 1000)
local slack = math.min(100, math.floor(keep / 10))
if n > 0 and call('ZCARD', keys.completed) > keep + slack then
  local completed_jobs = require('jobs.completed_jobs')
  completed_jobs.trim(slack, 250)
end
local reply = { more, now, table.concat(sizes, ' ') }
for i = 1, #rounds do reply_rows.add(reply, rounds[i][3]) end
return queue.commit(reply)
