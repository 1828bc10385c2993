-- What became of jobs of a schedule.
-- KEYS: ready inflight scheduled retry held completed dead suppressed trash finished finishedBefore
-- ARGV: clock, then ids (at most 12)
-- REPLY: per id its state; 'completed' also of a job that completed and left the queue lately; '' when nothing says so
local job_state = require('jobs.job_state')
local keys = require('keys')
local reply = {}
for i = 2, #ARGV do
  local state = job_state.find(ARGV[i])
  if not state then
    local left = redis.call('HGET', keys.finished, ARGV[i]) or redis.call('HGET', keys.finishedBefore, ARGV[i])
    state = left and string.sub(left, 1, 1) ~= '-' and 'completed' or ''
  end
  reply[#reply + 1] = state
end
return reply
