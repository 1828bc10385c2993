-- attempts: "<attempt> <deliveries> <losses> <redrives> <last token>" for a job that was claimed before.
-- `deliveries` counts claims and never goes back, so claim tokens never repeat; a release gives its attempt back.
local function tries(row)
  if not row then return 0, 0, 0, 0, '-' end
  local attempt, deliveries, losses, redrives, token = string.match(row, '^(%d+) (%d+) (%d+) (%d+) (%S+)')
  return tonumber(attempt), tonumber(deliveries), tonumber(losses), tonumber(redrives), token
end
local function set_tries(id, attempt, deliveries, losses, redrives, token)
  redis.call('HSET', K_attempts, id, attempt .. ' ' .. deliveries .. ' ' .. losses .. ' ' .. redrives .. ' ' .. token)
end
