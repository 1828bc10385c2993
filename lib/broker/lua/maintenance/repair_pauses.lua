-- Removes pauses with unreadable rows: their user and end are unknown, and they would hold jobs for ever. repair_held then brings
-- back the jobs.
local change_log = require('queues.change_log')
local keys = require('keys')
local repair_walk = require('maintenance.repair_walk')
local function apply()
  if redis.call('HLEN', keys.pauses) == 0 then return end
  local rows = redis.call('HSCAN', keys.pauses, '0', 'COUNT', 500)[2]
  for i = 1, #rows, 2 do
    local scope = rows[i]
    local named = scope == 'queue' or string.find(scope, '^tenant:.') or string.find(scope, '^type:.')
    if not named or not string.find(rows[i + 1], '^%d+ %d+ ') then
      redis.call('HDEL', keys.pauses, scope)
      repair_walk.add(1)
      -- People look for what changed among the changes of the queue.
      change_log.add('repair', '{"actor":"system","reason":"The record of this pause could not be read, so the pause was ended."}',
        string.sub(scope, 1, 200))
    end
  end
end
return { apply = apply }
