-- A row: "1 <priority> <maxAttempts> <deadline> <timeoutMs> <type> <jobVersion> <tenant>\n<json>\n<payload>".
-- Returns priority, maxAttempts, deadline, type, tenant as strings; nil for a row that is not ours.
local function header(row)
  return string.match(row, '^1 (%-?%d+) (%d+) (%d+) %d+ (%S+) %d+ (%S+)\n')
end
