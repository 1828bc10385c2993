-- Places in line. A priority is a band of 2^41 scores, and inside it jobs stand by an integer: 2001 bands stay under 2^53,
-- where doubles still hold every integer, so order is exact.
-- The integer is a sequence: first come, first served. With `fair: tenant` it is the job's start tag of start-time fair
-- queuing (Goyal, Vin and Cheng, 1996): the later of the band's virtual time (the tag served last) and the end of the
-- tenant's last job, each job being one unit long. A tenant's jobs thus follow each other, and a tenant that had none waiting
-- stands beside what is being served, however long the line of another.
-- Tags never run ahead of the sequence, which is counted all the same, so switching between the two keeps the line in order.
local BAND = 2199023255552
local function band_of(priority)
  return (1000 - priority) * BAND
end
local function virtual_time(priority, base)
  return math.max(tonumber(redis.call('HGET', K_limits, 'v:' .. priority) or 0), base)
end
-- Scores for jobs that become ready now, one for each of `priorities`, as text: Redis writes a number of sixteen digits far
-- slower than Lua does. `fair`: nil, or the sequence at which fairness began: tags start behind the line that stood there, so
-- that no tenant overtakes itself; `tenants` are only asked for then.
local function places(priorities, tenants, fair)
  local seq = redis.call('HINCRBY', K_counters, 'seq', #priorities) - #priorities
  local scores, format = {}, string.format
  if not fair then
    for i = 1, #priorities do scores[i] = format('%d', (1000 - priorities[i]) * BAND + seq + i) end
    return scores
  end
  local tags, times, ends = {}, {}, {}
  for i = 1, #priorities do
    local priority, tenant = priorities[i], tenants[i]
    local band = band_of(priority)
    local member = priority .. '|' .. tenant
    if not tags[member] then
      times[priority] = times[priority] or virtual_time(priority, tonumber(fair))
      tags[member] = math.max(tonumber(redis.call('ZSCORE', K_fair, member) or 0), band + times[priority])
    end
    scores[i] = format('%d', tags[member])
    tags[member] = tags[member] + 1
  end
  for member, tag in pairs(tags) do
    ends[#ends + 1] = tag
    ends[#ends + 1] = member
  end
  redis.call('ZADD', K_fair, unpack(ends))
  return scores
end
-- Enters jobs at their places, and notes since when they are ready.
local function add_to_line(ids, scores)
  local line, waiting, since = {}, {}, string.format('%.0f', now)
  for i = 1, #ids do
    line[2 * i - 1] = scores[i]
    line[2 * i] = ids[i]
    waiting[2 * i - 1] = since
    waiting[2 * i] = ids[i]
  end
  redis.call('ZADD', K_ready, unpack(line))
  redis.call('ZADD', K_waiting, unpack(waiting))
end
