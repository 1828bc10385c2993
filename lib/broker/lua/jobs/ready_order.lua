-- The order of ready jobs. A priority is a band of 2^41 scores, and inside it jobs stand by an integer: 2001 bands stay under 2^53,
-- where doubles still hold every integer, so order is exact.
-- The integer is a sequence: first come, first served. With `fair: tenant` it is the job's start tag of start-time fair
-- queuing (Goyal, Vin and Cheng, 1996): the later of the band's virtual time (the tag served last) and the end of the
-- tenant's last job, each job being one unit long. A tenant's jobs thus follow each other, and a tenant without waiting jobs
-- starts at the virtual time, however many jobs another tenant has.
-- Tags never run ahead of the sequence, which counts on meanwhile, so switching between the two keeps the line in order.
local clock = require('redis.clock')
local job_row = require('rows.job_row')
local keys = require('keys')
local BAND = 2199023255552
local function band(priority)
  return (1000 - priority) * BAND
end
local function virtual_time(priority, base)
  return math.max(tonumber(redis.call('HGET', keys.limits, 'v:' .. priority) or 0), base)
end
-- Scores for jobs that become ready now, one for each of `priorities`, as text: Redis writes a number of sixteen digits far
-- slower than Lua does. `fair`: nil, or the sequence at which fairness began: tags start behind the line that stood there, so
-- that no tenant overtakes itself; `tenants` are only asked for then.
local function scores(priorities, tenants, fair)
  local seq = redis.call('HINCRBY', keys.counters, 'seq', #priorities) - #priorities
  local scores, format = {}, string.format
  if not fair then
    for i = 1, #priorities do scores[i] = format('%d', (1000 - priorities[i]) * BAND + seq + i) end
    return scores
  end
  local tags, times, ends = {}, {}, {}
  for i = 1, #priorities do
    local priority, tenant = priorities[i], tenants[i]
    local band = band(priority)
    local member = priority .. '|' .. tenant
    if not tags[member] then
      times[priority] = times[priority] or virtual_time(priority, tonumber(fair))
      tags[member] = math.max(tonumber(redis.call('ZSCORE', keys.fair, member) or 0), band + times[priority])
    end
    scores[i] = format('%d', tags[member])
    tags[member] = tags[member] + 1
  end
  for member, tag in pairs(tags) do
    ends[#ends + 1] = tag
    ends[#ends + 1] = member
  end
  redis.call('ZADD', keys.fair, unpack(ends))
  return scores
end
-- Adds jobs at their scores, and records since when they are ready.
local function add(ids, scores)
  local line, waiting, since = {}, {}, string.format('%.0f', clock.now)
  for i = 1, #ids do
    line[2 * i - 1] = scores[i]
    line[2 * i] = ids[i]
    waiting[2 * i - 1] = since
    waiting[2 * i] = ids[i]
  end
  redis.call('ZADD', keys.ready, unpack(line))
  redis.call('ZADD', keys.waiting, unpack(waiting))
end
-- Puts jobs at the end of the line (a fair one: at the end of their tenant's).
local function append(ids)
  local rows = redis.call('HMGET', keys.jobs, unpack(ids))
  local fair = redis.call('HGET', keys.config, 'fair')
  local priorities, tenants = {}, {}
  for i = 1, #ids do
    local priority, tenant
    if rows[i] then
      local p, _, _, _, t = job_row.parse(rows[i])
      priority, tenant = p, t
    end
    -- A job without a readable row keeps priority 0: claim finds it and puts it where a person can see it.
    priorities[i], tenants[i] = priority or 0, tenant or 'unknown'
  end
  add(ids, scores(priorities, tenants, fair))
end
return { BAND = BAND, band = band, virtual_time = virtual_time, scores = scores, add = add, append = append }
