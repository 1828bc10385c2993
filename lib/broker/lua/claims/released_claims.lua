-- Gives claimed jobs back unrun: to their old order in the ready list, or for a while into `retry`. Their attempt is not counted.
-- All of them are written at the end of the script.
local attempt_row = require('rows.attempt_row')
local capacity = require('claims.capacity')
local history_log = require('rows.history_log')
local keys = require('keys')
local queue = require('queue')
local ids, claims = {}, {}
local function add(id, claim, delay, json)
  if claims[id] then return end
  claim.delay, claim.json = delay, json
  ids[#ids + 1], claims[id] = id, claim
end
-- The token that gave this job back in this call, or nil.
local function token_of(id) return claims[id] and claims[id].token end
local function count() return #ids end
local function commit()
  if #ids == 0 then return end
  local logs = redis.call('HMGET', keys.history, unpack(ids))
  redis.call('ZREM', keys.inflight, unpack(ids))
  redis.call('HDEL', keys.claims, unpack(ids))
  local attempts, history, ready, waiting, retry, back, later = {}, {}, {}, {}, {}, {}, {}
  for i = 1, #ids do
    local id = ids[i]
    local claim = claims[id]
    capacity.leave(claim.tenant)
    attempts[2 * i - 1], attempts[2 * i] = id, attempt_row.format(claim.attempt - 1, claim.deliveries, claim.losses, claim.redrives, 'released:' .. claim.token)
    history[2 * i - 1], history[2 * i] = id, history_log.append_release(logs[i], claim)
    if claim.delay > 0 then
      later[#later + 1] = id
      retry[#retry + 1], retry[#retry + 2] = queue.now + claim.delay, id
    else
      back[#back + 1] = id
      ready[#ready + 1], ready[#ready + 2] = claim.score, id
      waiting[#waiting + 1], waiting[#waiting + 2] = queue.now, id
    end
  end
  redis.call('HSET', keys.attempts, unpack(attempts))
  redis.call('HSET', keys.history, unpack(history))
  queue.count('released', #ids)
  if #later > 0 then
    redis.call('ZADD', keys.retry, unpack(retry))
    queue.emit('postponed', later)
  end
  if #back > 0 then
    redis.call('ZADD', keys.ready, unpack(ready))
    redis.call('ZADD', keys.waiting, unpack(waiting))
    queue.emit('released', back)
    queue.wake()
  end
end
return { add = add, token_of = token_of, count = count, commit = commit }
