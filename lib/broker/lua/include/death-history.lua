-- Why and when a job died, by its history: for one whose row in `deaths` is lost, or was dropped when it was re-driven.
-- `at`: when it died, should its history not say.
--@include attempts
--@include death
--@include group-name
local function death_in_history(id, at)
  local death = facts_of(redis.call('HGET', K_jobs, id))
  local print = '-'
  for line in string.gmatch(redis.call('HGET', K_history, id) or '', '[^\n]+') do
    local diedAt, class, code, json = string.match(line, '^(%d+) dead %d+ %d+ %S+ (%S+) (%S+) (.*)$')
    if diedAt then death.diedAt, death.class, death.code, print = diedAt, class, code, print_of(json) end
  end
  death.diedAt, death.class, death.code = death.diedAt or string.format('%.0f', at), death.class or 'permanent', death.code or 'UNKNOWN'
  death.group = name_of(death.type, death.class, death.code, print)
  death.attempt, death.operation = string.format('%.0f', (tries(redis.call('HGET', K_attempts, id)))), '-'
  return death
end
