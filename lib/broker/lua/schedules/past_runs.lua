-- What became of the last slots of a schedule, beside its fence in the same hash: "<id> runs" -> a line "<slot> <outcome> <count> <job>" for
-- each run, oldest first. It outlives changes of the schedule, which give its later jobs other ids. Slots in a row that entered no job for one
-- reason are one line. Ids of schedules have no spaces.
local keys = require('keys')
local MOST = 50
local function field(id) return id .. ' runs' end
local function lines(id)
  local list = {}
  for line in string.gmatch(redis.call('HGET', keys.occurrences, field(id)) or '', '[^\n]+') do list[#list + 1] = line end
  return list
end
local function add(id, runs)
  local list = lines(id)
  for _, run in ipairs(runs) do
    local slot, outcome, count, job = unpack(run)
    local from, before = string.match(list[#list] or '', '^(%d+) (%S+) ')
    local many = string.match(list[#list] or '', '^%d+ %S+ (%d+) ')
    if job == '-' and before == outcome then
      slot, count = from, count + tonumber(many)
      list[#list] = nil
    end
    list[#list + 1] = string.format('%.0f %s %.0f %s', slot, outcome, count, job)
  end
  redis.call('HSET', keys.occurrences, field(id), table.concat(list, '\n', math.max(1, #list - MOST + 1)))
end
local function forget(id) redis.call('HDEL', keys.occurrences, field(id)) end
return { add = add, lines = lines, forget = forget }
