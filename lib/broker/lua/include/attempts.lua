-- attempts: "<attempt> <deliveries> <losses> <redrives> <ended>" for a job that was claimed before. `ended` is the token whose
-- `fail` was recorded last, or "released:" and the token given back last: a resend finds it. A lost or cancelled claim leaves
-- "-", so that its late worker is told it is stale, not that its word was recorded.
-- `deliveries` counts claims and never goes back, so claim tokens never repeat; a release gives its attempt back.
local function tries(row)
  if not row then return 0, 0, 0, 0, '-' end
  local attempt, deliveries, losses, redrives, token = string.match(row, '^(%d+) (%d+) (%d+) (%d+) (%S+)')
  -- Not ours to read (someone wrote there): as if it had not been claimed, or no claim would ever get past it.
  if not attempt then return 0, 0, 0, 0, '-' end
  return tonumber(attempt), tonumber(deliveries), tonumber(losses), tonumber(redrives), token
end
local function tries_row(attempt, deliveries, losses, redrives, token)
  return attempt .. ' ' .. deliveries .. ' ' .. losses .. ' ' .. redrives .. ' ' .. token
end
local function set_tries(id, attempt, deliveries, losses, redrives, token)
  redis.call('HSET', K_attempts, id, tries_row(attempt, deliveries, losses, redrives, token))
end
