-- Takes a job out of the dead-letter queue and its indexes. Answers what was known of its death, or nil when it is not there.
--@include death
local function unbury(id)
  if redis.call('ZREM', K_dead, id) == 0 then return nil end
  local death = death_of(id)
  -- Without the row nobody knows where the indexes have it: maintenance sees that they count one too many.
  if not death then return {} end
  redis.call('ZREM', K_deadBy, members_of(id, death))
  count_dead(id, death, -1)
  return death
end
