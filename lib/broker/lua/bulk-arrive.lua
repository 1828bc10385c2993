-- Enters jobs that an operation sent here from another queue. A batch comes in once, however often it is sent; what was answered
-- the first time is answered again. Each is marked as driven by the operation, with its death, and keeps its history.
-- KEYS: jobs ready waiting attempts history unique uniqueUntil finished finishedBefore fair limits config counters minutes events wake changes audit operations driven
-- ARGV: clock, op, where they come from, batch, sharding they were placed by ('' for none), json (who and why), then per job: id, row, history ('' for none), deliveries, redrives, row of deaths ('' for none)
-- REPLY: a digit a job: 1 entered, 2 its id is taken, 3 its uniqueness key is taken, 4 this queue is sharded otherwise by now; '' when a later batch came already
--@include count
--@include emit
--@include wake
--@include row
--@include line
--@include attempts
--@include history
--@include unique
--@include driven
--@include record
--@include horizon
local op, origin, batch, json = ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[6]
local fence = op .. ' from ' .. origin
local latest, told = string.match(redis.call('HGET', K_operations, fence) or '', '^(%d+) (%d*)$')
latest = tonumber(latest or 0)
if latest == batch then return told end
if latest > batch then return '' end
local config = redis.call('HMGET', K_config, 'sharding', 'fair')
local mine, newest = tonumber(string.match(ARGV[5], '^%d+') or 0), tonumber(string.match(config[1] or '', '^%d+') or 0)
local ids, codes, entered, rows, tried, logs = {}, {}, {}, {}, {}, {}
local priorities, tenants, deaths, keys = {}, {}, {}, {}
for i = 7, #ARGV, 6 do ids[#ids + 1] = ARGV[i] end
local present = redis.call('HMGET', K_jobs, unpack(ids))
for i = 1, #ids do
  local id, at = ids[i], 1 + 6 * i
  local row, log, deliveries, redrives = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 4])
  local priority, _, _, _, tenant, unique = header(row)
  local key = unique and string.match(unique, '^%a:%d+:(.+)$')
  if mine < newest then
    codes[i] = '4'
  elseif present[i] then
    codes[i] = '2'
  elseif key and (keys[key] or unique_owner(key)) then
    codes[i] = '3'
  else
    codes[i] = '1'
    if key then keys[key] = unique end
    local n = #entered + 1
    entered[n], priorities[n], tenants[n], deaths[n] = id, priority, tenant, ARGV[at + 5] ~= '' and ARGV[at + 5] or false
    rows[2 * n - 1], rows[2 * n] = id, row
    tried[2 * n - 1], tried[2 * n] = id, tries_row(0, deliveries, 0, redrives + 1, '-')
    logs[2 * n - 1], logs[2 * n] = id, with_line(log ~= '' and log, history_line('moved', deliveries, 0, '-', '-', '-', json))
    if unique then take_unique(unique, id) end
  end
end
-- A removal comes first, even of nothing: what left its queue must come in, and most of all when memory is full.
redis.call('HDEL', K_operations, '')
redis.call('HSET', K_operations, fence, string.format('%.0f ', batch) .. table.concat(codes))
redis.call('HSETNX', K_operations, op, 'running 0 0 0 0 - ')
if mine > newest then
  redis.call('HSET', K_config, 'sharding', ARGV[5])
  begin_horizon(now)
end
if #entered > 0 then
  redis.call('HSET', K_jobs, unpack(rows))
  redis.call('HSET', K_attempts, unpack(tried))
  redis.call('HSET', K_history, unpack(logs))
  add_to_line(entered, places(priorities, tenants, config[2]))
  drive(entered, op, deaths)
  count('enqueued', #entered)
  emit('arrived', entered)
  if latest == 0 then
    enter_change('operation', json, 'move ' .. op, 'jobs came from ' .. origin)
    audit(K_audit, 'operation.arrive', json, { kind = 'operation', id = op, after = 'jobs came from ' .. origin })
  end
  wake()
end
return table.concat(codes)
