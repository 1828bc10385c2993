-- Moves up to `limit` due jobs, oldest first, to ready. The move is one script, so any number of promoters is harmless.
-- Returns how many, and when the next falls due (ms, 0 none).
local keys = require('keys')
local queue = require('queue')
local function first_due(source)
  return tonumber(redis.call('ZRANGE', source, 0, 0, 'WITHSCORES')[2] or 0)
end
local function promote(limit)
  local moved, nextAt = 0, 0
  local firsts = { [keys.scheduled] = first_due(keys.scheduled), [keys.retry] = first_due(keys.retry) }
  for _, source in ipairs({ keys.scheduled, keys.retry }) do
    local first = firsts[source]
    if first > 0 and first <= queue.now then
      -- Where both have something due, neither takes all the room.
      local other = firsts[source == keys.retry and keys.scheduled or keys.retry]
      local room = source == keys.scheduled and other > 0 and other <= queue.now and math.ceil(limit / 2) or limit - moved
      local due = redis.call('ZRANGE', source, '-inf', queue.now, 'BYSCORE', 'LIMIT', 0, room)
      redis.call('ZREM', source, unpack(due))
      local ready_order = require('jobs.ready_order')
      ready_order.append(due)
      queue.emit(source == keys.retry and 'retried' or 'promoted', due)
      moved = moved + #due
      first = first_due(source)
    end
    if first > 0 and (nextAt == 0 or first < nextAt) then nextAt = first end
  end
  return moved, nextAt
end
return { promote = promote }
