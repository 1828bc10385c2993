-- The dead-letter queue: `dead` by time, with what is known of each death (death.lua), its failure group (group.lua) and, for a
-- job that an operation had put back, what became of it (driven.lua). All of it is written at the end, a command for many jobs:
-- a script that includes this ends with book_deaths().
--@include deaths-of
--@include group
--@include driven
--@include unique
local buried_ids, buried_deaths = {}, {}
local function index_buried()
  index_deaths(buried_ids, buried_deaths)
  buried_ids, buried_deaths = {}, {}
end
-- `row`: of the job, nil when it is lost; `op`: the operation that does this, if one does.
local function bury(id, row, class, code, attempt, print, op)
  local death, unique = facts_of(row)
  death.diedAt, death.class, death.code, death.attempt = string.format('%.0f', now), class, code, string.format('%.0f', attempt)
  death.group = group_of(death.type, class, code, print)
  local cancelled = class == 'cancelled'
  local again = settle_driven(id, cancelled and 'recalled' or 'diedAgain', not cancelled and death.group or nil)
  death.operation = op or not cancelled and again or '-'
  buried_ids[#buried_ids + 1], buried_deaths[#buried_deaths + 1] = id, death
  count_group(death.group)
  if unique then free_unique(unique, id, 'cd') end
  -- As many as a command may have arguments.
  if #buried_ids >= 200 then index_buried() end
end
local function book_deaths()
  index_buried()
  book_dead()
  book_groups()
  book_driven()
end
