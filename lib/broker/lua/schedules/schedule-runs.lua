-- What became of the last runs of a schedule.
-- KEYS: occurrences ready inflight scheduled retry held completed dead suppressed trash finished finishedBefore
-- ARGV: clock, schedule id, at most so many of them
-- REPLY: per run, oldest first: its slot, its outcome, how many slots in a row it stands for, its job ('-': none) and the state of that; 'completed' also of a job that completed and left the queue lately; '' when nothing says so
local job_state = require('jobs.job_state')
local keys = require('keys')
local past_runs = require('schedules.past_runs')
local lines = past_runs.lines(ARGV[2])
local reply = {}
for i = math.max(1, #lines - tonumber(ARGV[3]) + 1), #lines do
  local slot, outcome, count, job = string.match(lines[i], '^(%d+) (%S+) (%d+) (%S+)$')
  local state = ''
  if job and job ~= '-' then
    state = job_state.find(job)
    if not state then
      local left = redis.call('HGET', keys.finished, job) or redis.call('HGET', keys.finishedBefore, job)
      state = left and string.sub(left, 1, 1) ~= '-' and 'completed' or ''
    end
  end
  for _, value in ipairs({ slot or '0', outcome or '-', count or '1', job or '-', state }) do reply[#reply + 1] = value end
end
return reply
