-- once: "running <owner token> <lease until>" or "done <owner token> <done at> <result>".
local function parse(row)
  if not row then return nil end
  local word, token, at, rest = string.match(row, '^(%l+) (%S+) (%d+) ?(.*)$')
  -- Not ours to read (someone wrote there): as if it were not there.
  if word ~= 'running' and word ~= 'done' then return nil end
  return { done = word == 'done', token = token, leaseUntil = tonumber(at), rest = rest }
end
return { parse = parse }
