-- What is remembered of jobs that left the queue, by id; see finished.lua.
local function finished_among(ids)
  local known = {}
  -- A queue that is not busy keeps its jobs longer than the window, and has neither.
  if #ids == 0 or redis.call('EXISTS', K_finished, K_finishedBefore) == 0 then return known end
  for _, key in ipairs({ K_finishedBefore, K_finished }) do
    local rows = redis.call('HMGET', key, unpack(ids))
    for i = 1, #ids do
      if rows[i] then known[ids[i]] = rows[i] end
    end
  end
  return known
end
