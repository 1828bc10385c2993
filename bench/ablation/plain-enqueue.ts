/** Enqueues jobs, as plainly as it can be written. See compose-script.ts for the marks. */

/**
 * ARGV: per job: id, row, and '' for priority 0 or "<priority>" (with the piece `unique` also "<priority> <scope>:<ttl>:<key>").
 * REPLY: how many came in.
 */
export const PLAIN_ENQUEUE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since = string.format('%.0f', now)
local jobs, ids = #ARGV / 3, {}
for i = 1, jobs do ids[i] = ARGV[3 * i - 2] end
--{ limits|fairness
local draining, depthLimit, fair = unpack(redis.call('HMGET', keys.config, 'draining', 'depthLimit', 'fair'))
--}
--{ limits
if draining then return 0 end
if depthLimit then
  local depth = redis.call('ZCARD', keys.ready) + redis.call('ZCARD', keys.scheduled)
  jobs = math.max(0, math.min(jobs, depthLimit - depth))
end
--}
local present = redis.call('HMGET', keys.jobs, unpack(ids))
local fresh, rows, priorities, came = {}, {}, {}, 0
local tenants = {} --@fairness
for i = 1, jobs do
  local id, row, priority = ids[i], ARGV[3 * i - 1], ARGV[3 * i]
  local free = not present[i]
  --{ unique
  local scope, ttl, key
  if priority ~= '' then priority, scope, ttl, key = string.match(priority, '^(%S+) ?(%a?):?(%d*):?(.*)$') end
  if free and key and key ~= '' then
    local ends = string.match(redis.call('HGET', keys.unique, key) or '', '^%S+ (%d+)$')
    free = not ends or tonumber(ends) <= now
    if free then
      redis.call('HSET', keys.unique, key, id .. ' ' .. string.format('%.0f', now + ttl))
      redis.call('ZADD', keys.uniqueUntil, now + ttl, key)
    end
  end
  --}
  if free then
    came = came + 1
    fresh[came], priorities[came] = id, priority == '' and 0 or priority
    if fair then tenants[came] = string.match(row, '^1 %S+ %S+ %S+ %S+ %S+ %S+ (%S+)') end --@fairness
    rows[2 * came - 1], rows[2 * came] = id, row
  end
end
if came == 0 then return 0 end
local seq = redis.call('HINCRBY', keys.counters, 'seq', came) - came
local line, waiting = {}, {}
local tags, times = {}, {} --@fairness
for i = 1, came do
  local band = (1000 - priorities[i]) * 2199023255552
  local score = band + seq + i
  --{ fairness
  if fair then
    local priority = priorities[i]
    local member = priority .. '|' .. tenants[i]
    if not tags[member] then
      times[priority] = times[priority] or math.max(tonumber(redis.call('HGET', keys.limits, 'v:' .. priority) or 0), tonumber(fair))
      tags[member] = math.max(tonumber(redis.call('ZSCORE', keys.fair, member) or 0), band + times[priority])
    end
    score = tags[member]
    tags[member] = score + 1
  end
  --}
  line[2 * i - 1], line[2 * i] = string.format('%d', score), fresh[i]
  waiting[2 * i - 1], waiting[2 * i] = since, fresh[i]
end
for member, tag in pairs(tags) do redis.call('ZADD', keys.fair, tag, member) end --@fairness
redis.call('HSET', keys.jobs, unpack(rows))
redis.call('ZADD', keys.ready, unpack(line))
redis.call('ZADD', keys.waiting, unpack(waiting))
redis.call('HINCRBY', keys.counters, 'enqueued', came)
redis.call('HINCRBY', keys.minutes, math.floor(now / 60000) .. ':enqueued', came) --@minutes
--{ events
redis.call('XADD', keys.events, 'MAXLEN', '~', 1000, '*', 'e', 'ready', 'n', came, 'ids', table.concat(fresh, ',', 1, math.min(came, 20)))
--}
redis.call('ZADD', keys.wake, 0, '1')
return came
`;
