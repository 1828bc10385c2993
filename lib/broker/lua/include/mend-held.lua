-- Jobs that stepped aside, and nobody would call back: what held them is gone, or the note of what it was.
--@include thaw
local function mend_held()
  local held, notes = redis.call('ZCARD', K_held), redis.call('ZCARD', K_heldBy)
  if notes > held then
    local from = tonumber(stands_at('notes'))
    local members, gone = redis.call('ZRANGE', K_heldBy, from, from + 199), 0
    for i = 1, #members do
      local score, id = string.match(members[i], '|(%d+)|([^|]+)$')
      if not redis.call('ZSCORE', K_held, id) then
        if redis.call('HEXISTS', K_jobs, id) == 1 and not placed(id) and not redis.call('ZSCORE', K_inflight, id) then
          redis.call('ZADD', K_held, score, id)
        else
          gone = gone + redis.call('ZREM', K_heldBy, members[i])
        end
        mended = mended + 1
      end
    end
    goes_on_after('notes', from - gone, #members, 200)
  elseif held > notes then
    -- Back in line: whoever claims next sees whether they still have to step aside.
    local entries, back = redis.call('ZRANGE', K_held, 0, 99, 'WITHSCORES'), {}
    for i = 1, #entries, 2 do
      local id = entries[i]
      local _, _, _, jobType, tenant = header(redis.call('HGET', K_jobs, id) or '')
      unhold(id, jobType or 'unknown', tenant or 'unknown')
      redis.call('ZADD', K_ready, entries[i + 1], id)
      redis.call('ZADD', K_waiting, now, id)
      back[#back + 1] = id
    end
    mended = mended + #back
    emit('mended', back)
  end
  -- Each scope once: from one to the next, by what sorts after all of its members.
  local from, left = stands_at('held'), 20
  if from == '0' then from = '-' end
  while left > 0 do
    local member = redis.call('ZRANGE', K_heldBy, from, '+', 'BYLEX', 'LIMIT', 0, 1)[1]
    if not member then break end
    local scope = string.match(member, '^([^|]+)|')
    local kind, name = string.match(scope or '', '^(%l+):(.+)$')
    if kind == 'limit' then
      if redis.call('ZADD', K_throttled, 'NX', now, name) == 1 then mended = mended + 1 end
    elseif kind and redis.call('HEXISTS', K_pauses, scope) == 0 then
      mended = mended + thaw(scope, 100)
    end
    from = '[' .. (scope or member) .. '}'
    left = left - 1
  end
  if left == 0 then
    redis.call('HSET', K_limits, 'mend:held', from)
  elseif from ~= '-' then
    redis.call('HDEL', K_limits, 'mend:held')
  end
end
