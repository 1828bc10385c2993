-- Held jobs that nothing would release: what held them is gone, or the note of what it was.
local held_jobs = require('jobs.held_jobs')
local job_row = require('rows.job_row')
local keys = require('keys')
local queue = require('queue')
local repair_walk = require('maintenance.repair_walk')
local function apply()
  local held, notes = redis.call('ZCARD', keys.held), redis.call('ZCARD', keys.heldBy)
  if notes > held then
    local from = tonumber(repair_walk.position('notes'))
    local members, gone = redis.call('ZRANGE', keys.heldBy, from, from + 199), 0
    for i = 1, #members do
      local score, id = string.match(members[i], '|(%d+)|([^|]+)$')
      if not redis.call('ZSCORE', keys.held, id) then
        if redis.call('HEXISTS', keys.jobs, id) == 1 and not repair_walk.is_placed(id) and not redis.call('ZSCORE', keys.inflight, id) then
          redis.call('ZADD', keys.held, score, id)
        else
          gone = gone + redis.call('ZREM', keys.heldBy, members[i])
        end
        repair_walk.add(1)
      end
    end
    repair_walk.save_after('notes', from - gone, #members, 200)
  elseif held > notes then
    -- Ready again: the next claim sees whether they still have to be held.
    local entries, back = redis.call('ZRANGE', keys.held, 0, 99, 'WITHSCORES'), {}
    for i = 1, #entries, 2 do
      local id = entries[i]
      local _, _, _, jobType, tenant = job_row.parse(redis.call('HGET', keys.jobs, id) or '')
      held_jobs.remove(id, jobType or 'unknown', tenant or 'unknown')
      redis.call('ZADD', keys.ready, entries[i + 1], id)
      redis.call('ZADD', keys.waiting, queue.now, id)
      back[#back + 1] = id
    end
    repair_walk.add(#back)
    queue.emit('mended', back)
  end
  -- Each scope once: from one to the next, by what sorts after all of its members.
  local from, left = repair_walk.position('held'), 20
  if from == '0' then from = '-' end
  while left > 0 do
    local member = redis.call('ZRANGE', keys.heldBy, from, '+', 'BYLEX', 'LIMIT', 0, 1)[1]
    if not member then break end
    local scope = string.match(member, '^([^|]+)|')
    local kind, name = string.match(scope or '', '^(%l+):(.+)$')
    if kind == 'limit' then
      if redis.call('ZADD', keys.throttled, 'NX', queue.now, name) == 1 then repair_walk.add(1) end
    elseif kind and redis.call('HEXISTS', keys.pauses, scope) == 0 then
      repair_walk.add(held_jobs.put_back(scope, 100))
    end
    from = '[' .. (scope or member) .. '}'
    left = left - 1
  end
  if left == 0 then
    redis.call('HSET', keys.limits, 'repair:held', from)
  elseif from ~= '-' then
    redis.call('HDEL', keys.limits, 'repair:held')
  end
end
return { apply = apply }
