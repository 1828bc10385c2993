-- claims: "<deliveries>-<nonce> <worker> <claimedAt> <attempt> <losses> <redrives> <bytes> <ready score> <tenant>[ <unique>]".
-- The first word is the claim token. The score brings a returned job back to its old order. The end of a run gives back
-- size, tenant and key, so it need not read the job.
local function parse(row)
  local deliveries, nonce, worker, claimedAt, attempt, losses, redrives, bytes, score, tenant, unique =
    string.match(row, '^(%d+)%-(%S+) (%S+) (%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (%S+) ?(%S*)$')
  -- Not ours to read (someone wrote there): the caller treats it as no claim.
  if not tenant then return nil end
  return {
    token = deliveries .. '-' .. nonce, nonce = nonce, deliveries = tonumber(deliveries), worker = worker,
    claimedAt = tonumber(claimedAt), attempt = tonumber(attempt), losses = tonumber(losses),
    redrives = tonumber(redrives), score = score, bytes = tonumber(bytes), tenant = tenant,
    unique = unique ~= '' and unique or nil,
  }
end
local function has_token(row, token)
  return row and string.sub(row, 1, #token + 1) == token .. ' '
end
-- The claim that this token holds, or nil.
local function of_token(row, token)
  return has_token(row, token) and parse(row) or nil
end
return { parse = parse, has_token = has_token, of_token = of_token }
