-- Jobs that were completed after an operation had put them back. outcomes: "<operation>|<id>" by when; the newest 10,000, so
-- that they can be looked at.
--@include driven
local function fulfil(ids)
  local done = {}
  for i = 1, #ids do
    local op = settle_driven(ids[i], 'completed')
    if op and redis.call('HEXISTS', K_operations, op) == 1 then
      done[#done + 1] = string.format('%.0f', now)
      done[#done + 1] = op .. '|' .. ids[i]
    end
  end
  book_driven()
  if #done > 0 then
    redis.call('ZADD', K_outcomes, unpack(done))
    redis.call('ZREMRANGEBYRANK', K_outcomes, 0, -10001)
  end
end
