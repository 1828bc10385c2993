-- A priority is a band of 2^41 scores, and inside it jobs stand by an integer sequence: FIFO within a priority is
-- exact, and 2001 bands stay under 2^53, where doubles still hold every integer.
--@include row
local function make_ready(ids)
  local rows = redis.call('HMGET', K_jobs, unpack(ids))
  local seq = redis.call('HINCRBY', K_counters, 'seq', #ids) - #ids
  local ready, waiting = {}, {}
  for i = 1, #ids do
    -- A job without a readable row keeps priority 0: claim finds it and puts it where a person can see it.
    local priority = rows[i] and header(rows[i]) or 0
    ready[#ready + 1] = (1000 - priority) * 2199023255552 + seq + i
    ready[#ready + 1] = ids[i]
    waiting[#waiting + 1] = now
    waiting[#waiting + 1] = ids[i]
  end
  redis.call('ZADD', K_ready, unpack(ready))
  redis.call('ZADD', K_waiting, unpack(waiting))
end
