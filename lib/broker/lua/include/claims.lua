-- claims: "<deliveries>-<nonce> <worker> <claimedAt> <attempt> <losses> <redrives> <ready score>".
-- The first word is the claim token. The score brings a returned job back to its old place in line.
local function claim_of(row)
  local deliveries, nonce, worker, claimedAt, attempt, losses, redrives, score =
    string.match(row, '^(%d+)%-(%S+) (%S+) (%d+) (%d+) (%d+) (%d+) (%S+)$')
  -- Not ours to read (someone wrote there): the caller treats it as no claim.
  if not score then return nil end
  return {
    token = deliveries .. '-' .. nonce, nonce = nonce, deliveries = tonumber(deliveries), worker = worker,
    claimedAt = tonumber(claimedAt), attempt = tonumber(attempt), losses = tonumber(losses),
    redrives = tonumber(redrives), score = score,
  }
end
local function holds(row, token)
  return row and string.sub(row, 1, #token + 1) == token .. ' '
end
