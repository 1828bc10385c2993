-- pauses: scope -> "<since> <until> <json>"; until 0 = only by hand. At most 100 scopes a queue.
-- A pause that ran out stays in force until the jobs it held are back in line, so that none overtakes them.
--@include thaw
-- The place in line of the first job a scope still holds.
local function first_held(scope)
  local member = redis.call('ZRANGE', K_heldBy, '[' .. scope .. '|', '(' .. scope .. '}', 'BYLEX', 'LIMIT', 0, 1)[1]
  return tonumber(string.match(member or '|0|', '|(%d+)|') or 0)
end
-- Returns the scopes in force, each with the first place in line it holds back (0: every job; more: the pause ran out, and
-- those before that place are back in line already), or nil; and the next time one ends by itself.
local function live_pauses(limit)
  if redis.call('EXISTS', K_pauses) == 0 then return nil, 0 end
  local rows = redis.call('HGETALL', K_pauses)
  local live, some, nextEnd = {}, false, 0
  for i = 1, #rows, 2 do
    local scope = rows[i]
    -- A row that is none of ours holds until somebody ends it: better than a queue that is never looked after again.
    local ends = tonumber(string.match(rows[i + 1], '^%d+ (%d+)') or 0)
    local over = ends > 0 and ends <= now
    if over then
      local thawed = thaw(scope, limit)
      -- The last of them may have come back just now: a pause that holds nobody must not hold back those it let go.
      over = thawed < limit or first_held(scope) == 0
      limit = limit - thawed
    end
    if over then
      redis.call('HDEL', K_pauses, scope)
    else
      live[scope] = ends > 0 and ends <= now and first_held(scope) or 0
      some = true
      if ends > now and (nextEnd == 0 or ends < nextEnd) then nextEnd = ends end
    end
  end
  return some and live or nil, nextEnd
end
