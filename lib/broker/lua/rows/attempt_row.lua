-- attempts: "<attempt> <deliveries> <losses> <redrives> <ended>" for a job that was claimed before. `ended` is the token of the
-- last recorded `fail`, or "released:" and the last released token: a resend finds it. A lost or cancelled claim leaves
-- "-", so that its late worker gets "stale", not "already".
-- `deliveries` counts claims and never goes back, so claim tokens never repeat; a release gives its attempt back.
local keys = require('keys')
-- The numbers as texts; see claim_row.lua.
local function parse(row)
  if not row then return '0', '0', '0', '0', '-' end
  local attempt, deliveries, losses, redrives, token = string.match(row, '^(%d+) (%d+) (%d+) (%d+) (%S+)')
  -- Not ours to read (someone wrote there): as if it had not been claimed, or no claim would ever get past it.
  if not attempt then return '0', '0', '0', '0', '-' end
  return attempt, deliveries, losses, redrives, token
end
local function format(attempt, deliveries, losses, redrives, token)
  return attempt .. ' ' .. deliveries .. ' ' .. losses .. ' ' .. redrives .. ' ' .. token
end
local function save(id, attempt, deliveries, losses, redrives, token)
  redis.call('HSET', keys.attempts, id, format(attempt, deliveries, losses, redrives, token))
end
return { parse = parse, format = format, save = save }
