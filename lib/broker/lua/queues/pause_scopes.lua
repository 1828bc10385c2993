-- pauses: scope -> "<since> <until> <json>"; until 0 = only by hand. At most 100 scopes a queue.
-- A pause that ran out stays in force until the jobs it held are back in line, so that none overtakes them.
-- first_held: the score of the first job a scope still holds.
local clock = require('redis.clock')
local held_jobs = require('jobs.held_jobs')
local keys = require('keys')
local function first_held(scope)
  local member = redis.call('ZRANGE', keys.heldBy, '[' .. scope .. '|', '(' .. scope .. '}', 'BYLEX', 'LIMIT', 0, 1)[1]
  return tonumber(string.match(member or '|0|', '|(%d+)|') or 0)
end
-- Puts back at most 100 jobs. Returns the scopes in force, each with the lowest score it holds back (0: every job; more: the pause ran out, and
-- jobs before this score are ready again), or nil; and when the next pause runs out.
local function in_force()
  local limit = 100
  local rows = redis.call('HGETALL', keys.pauses)
  local live, some, nextEnd = {}, false, 0
  for i = 1, #rows, 2 do
    local scope = rows[i]
    -- A row that is none of ours holds until somebody ends it: better than a queue that is never looked after again.
    local ends = tonumber(string.match(rows[i + 1], '^%d+ (%d+)') or 0)
    local over = ends > 0 and ends <= clock.now
    if over then
      local thawed = held_jobs.put_back(scope, limit)
      -- The last of them may have come back just now: a pause that holds no job must not hold back those it released.
      over = thawed < limit or first_held(scope) == 0
      limit = limit - thawed
    end
    if over then
      redis.call('HDEL', keys.pauses, scope)
    else
      live[scope] = ends > 0 and ends <= clock.now and first_held(scope) or 0
      some = true
      if ends > clock.now and (nextEnd == 0 or ends < nextEnd) then nextEnd = ends end
    end
  end
  return some and live or nil, nextEnd
end
return { first_held = first_held, in_force = in_force }
