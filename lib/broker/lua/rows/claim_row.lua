-- claims: "<deliveries>-<nonce> <worker> <claimedAt> <attempt> <losses> <redrives> <bytes> <tenant> <ready score>[ <unique>]".
-- The first word is the claim token. The score brings a returned job back to its old order. The end of a run gives back
-- size, tenant and key, so it need not read the job. results: the same row, and behind a newline the result, if there is one.
-- Numbers stay the texts that they are, for the rows they go into: Lua makes a text of a number far slower.
local function parse(row)
  local deliveries, nonce, worker, claimedAt, attempt, losses, redrives, bytes, tenant, score, unique =
    string.match(row, '^(%d+)%-(%S+) (%S+) (%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (%S+) ?(%S*)$')
  -- Not ours to read (someone wrote there): the caller treats it as no claim.
  if not score then return nil end
  return {
    token = deliveries .. '-' .. nonce, nonce = nonce, deliveries = deliveries, worker = worker,
    claimedAt = claimedAt, attempt = attempt, losses = losses, redrives = redrives, score = score, bytes = bytes, tenant = tenant,
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
-- What rows of one claim call begin with: up to `redrives`. It is read once for rows in turn that share it. Nil: not ours.
local last = nil
local function start_of(row)
  if last and string.find(row, last.text, 1, true) == 1 then return last end
  local token, deliveries, claimedAt, attempt, redrives, upto = string.match(row, '^((%d+)%-%S+) %S+ (%d+) (%d+) %d+ (%d+) ()')
  if not upto then return nil end
  last = { text = string.sub(row, 1, upto - 1), token = token, deliveries = deliveries, claimedAt = claimedAt, attempt = attempt,
    redrives = redrives, upto = upto }
  return last
end
return { parse = parse, has_token = has_token, of_token = of_token, start_of = start_of }
