-- Jobs that an operation put back and that are nowhere on their way any more: what ended them could not say so, because their
-- rows were lost. Some of them each time, for as long as there are any.
--@include locate
--@include fulfil
local ENDED = { completed = 'completed', dead = 'recalled', suppressed = 'recalled', trashed = 'recalled' }
local function mend_driven()
  local ids = redis.call('HRANDFIELD', K_driven, 20)
  local done = {}
  for i = 1, #ids do
    local state = locate(ids[i])
    local what = ENDED[state] or not state and redis.call('HEXISTS', K_jobs, ids[i]) == 0 and 'deleted'
    if what == 'completed' then done[#done + 1] = ids[i] elseif what then settle_driven(ids[i], what) end
    if what then
      mended = mended + 1
      unfinished = true
    end
  end
  if #done > 0 then fulfil(done) end
end
