-- Work by type and by tenant since the last ten-minute row: claims (of the first job of a call, for all of it), failed runs, deaths.
-- The tenant `default` is not counted. At most 200 names: more are counted together, under `*`.
local keys = require('keys')
local FIELDS_MAX = 600
local tallies = {}
local function count(field, n)
  tallies[field] = (tallies[field] or 0) + n
end
local function add(jobType, tenant, what, n)
  if jobType then count('t:' .. jobType .. ':' .. what, n) end
  if tenant and tenant ~= 'default' then count('n:' .. tenant .. ':' .. what, n) end
end
-- Of a field that is new: where there are too many, it goes to those that are counted together.
local function bound(field, n)
  if redis.call('HLEN', keys.tallies) <= FIELDS_MAX then return end
  redis.call('HDEL', keys.tallies, field)
  redis.call('HINCRBY', keys.tallies, (string.gsub(field, ':.*:', ':*:')), n)
end
local function commit()
  for field, n in pairs(tallies) do
    if redis.call('HINCRBY', keys.tallies, field, n == 1 and '1' or n) == n then bound(field, n) end
  end
  tallies = {}
end
return { add = add, bound = bound, commit = commit }
