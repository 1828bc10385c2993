-- What a list shows of a job: everything but its payload. Callers ask for at most 50 at a time, so that even the
-- largest payloads are copied within a millisecond.
local function head_of(row)
  local first = string.find(row, '\n', 1, true)
  local second = first and string.find(row, '\n', first + 1, true)
  return second and string.sub(row, 1, second - 1) or ''
end
