-- The row that says why and when a job died, by its history where it is lost. The counts of a dead letter that lost it are not known.
local death_index = require('dead.death_index')
local repair_walk = require('maintenance.repair_walk')
local function read(id, score)
  local death = death_index.read(id)
  if death then return death end
  death = death_index.from_history(id, score)
  death_index.write(id, death)
  repair_walk.add(1)
  return death, true
end
return { read = read }
