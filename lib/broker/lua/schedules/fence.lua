-- slots: schedule id -> "<generation> <last slot> <last job> <outcome> <entered> <skipped>": the fence. Whatever a scheduler
-- read, and however long ago, no occurrence at or before the last one is entered again, and stale schedule generations are ignored.
local keys = require('keys')
local function parse(row)
  if not row then return 0, 0, '-', '-', 0, 0 end
  local generation, slot, job, outcome, entered, skipped = string.match(row, '^(%d+) (%d+) (%S+) (%S+) (%d+) (%d+)$')
  return tonumber(generation or 0), tonumber(slot or 0), job or '-', outcome or '-', tonumber(entered or 0), tonumber(skipped or 0)
end
local function save(id, generation, slot, job, outcome, entered, skipped)
  redis.call('HSET', keys.occurrences, id, string.format('%.0f %.0f ', generation, slot) .. job .. ' ' .. outcome .. ' '
    .. string.format('%.0f %.0f', entered, skipped))
end
return { parse = parse, save = save }
