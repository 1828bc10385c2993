-- claims: "<deliveries>-<nonce> <worker> <claimedAt> <attempt> <losses> <redrives> <bytes> <ready score> <tenant>[ <unique>]".
-- The first word is the claim token. The score brings a returned job back to its old place in line; size, tenant and key are
-- what the end of a run has to give back, so that it need not read the job.
local function claim_of(row)
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
local function holds(row, token)
  return row and string.sub(row, 1, #token + 1) == token .. ' '
end
