-- A row: "1 <priority> <maxAttempts> <deadline> <timeoutMs> <type> <jobVersion> <tenant>[ u=<unique>]\n<json>\n<payload>".
-- Returns priority, maxAttempts, deadline, type, tenant as strings, what is unique about it (see unique.lua) or nil, and the
-- version; nothing at all for a row that is not ours.
local function header(row)
  local priority, max, deadline, jobType, version, tenant, rest =
    string.match(row, '^1 (%-?%d+) (%d+) (%d+) %d+ (%S+) (%d+) (%S+)([^\n]*)\n')
  if not priority then return nil end
  return priority, max, deadline, jobType, tenant, rest ~= '' and string.match(rest, '^ u=(%S+)$') or nil, version
end
