-- Jobs on their way to another queue. operations: "<op> outbox" = a line "<batch> <how many> <the target's sharding>", a line for
-- each job: "<id> <dead|suppressed> <its score there> <bytes of its row> <bytes of its history> <its row of attempts> <its row of
-- deaths, or ->", and then rows and histories, one behind the other. While it is there the jobs are in no state of this queue: they
-- arrive in the other, or come back to where they were. One outbox at a time.
local function format(id, shelf, score, row, log, attempts, death)
  return id .. ' ' .. shelf .. ' ' .. score .. ' ' .. #row .. ' ' .. #log .. ' ' .. attempts .. ' ' .. (death or '-')
end
local function parse(text)
  local batch, n, at = string.match(text, '^(%d+) (%d+)[^\n]*\n()')
  local jobs, lines = {}, {}
  for i = 1, tonumber(n) do
    local line, after = string.match(text, '^([^\n]*)\n()', at)
    lines[i], at = line, after
  end
  for i = 1, #lines do
    local id, shelf, score, rowBytes, logBytes, attempts, death =
      string.match(lines[i], '^(%S+) (%S+) (%S+) (%d+) (%d+) (%d+ %d+ %d+ %d+ %S+) (.+)$')
    local row = string.sub(text, at, at + rowBytes - 1)
    local log = string.sub(text, at + rowBytes, at + rowBytes + logBytes - 1)
    at = at + rowBytes + logBytes
    jobs[i] = { id = id, shelf = shelf, score = score, row = row, log = log, attempts = attempts, death = death }
  end
  return batch, jobs
end
return { format = format, parse = parse }
