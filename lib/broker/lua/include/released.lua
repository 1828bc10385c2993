-- A job given back again and again (its breaker is open for hours) has one line for it, the newest: the rest of its history is
-- for what really happened to it. The delivery in it tells how often.
--@include history
local function remember_release(id, claim, json)
  local old = redis.call('HGET', K_history, id)
  local from = old and (string.match(old, '^.*\n()') or 1)
  if from and string.find(old, '^%d+ released ', from) then old = from > 1 and string.sub(old, 1, from - 2) or nil end
  add_history(id, old, history_line('released', claim.deliveries, claim.claimedAt, claim.worker, '-', '-', json))
end
