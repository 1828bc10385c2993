-- A row: "1 <priority> <maxAttempts> <deadline> <timeoutMs> <type> <jobVersion> <tenant>[ u=<unique>]\n<json>\n<payload>".
-- Returns priority, maxAttempts, deadline, type, tenant as strings, its uniqueness (see unique_keys.lua) or nil, and the
-- version; nothing at all for a row that is not ours.
local function parse(row)
  local priority, max, deadline, jobType, version, tenant, rest =
    string.match(row, '^1 (%-?%d+) (%d+) (%d+) %d+ (%S+) (%d+) (%S+)([^\n]*)\n')
  if not priority then return nil end
  return priority, max, deadline, jobType, tenant, rest ~= '' and string.match(rest, '^ u=(%S+)$') or nil, version
end
-- What a list shows of a job: everything but its payload. Callers ask for at most 50 at a time, so that even the
-- largest payloads are copied within a millisecond.
local function head(row)
  local first = string.find(row, '\n', 1, true)
  local second = first and string.find(row, '\n', first + 1, true)
  return second and string.sub(row, 1, second - 1) or ''
end
return { parse = parse, head = head }
