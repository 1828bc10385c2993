-- deadCounts: how many dead letters are alike, field "<group> <type> <version> <tenant> <class> <code> <attempt>" (gone at 0),
-- and "#", how many that is in all. Any question about these seven is answered by its fields instead of by the jobs.
-- While it is made anew, field "~" = "<diedAt> <id>" says how far the walk over `dead` has come: what stands behind it is not
-- counted yet, and the walk will find it there or not.
-- Counts are written at the end, all fields at once for any number of jobs.
local keys = require('keys')
local alike, alike_total, anew, anew_at, anew_id = {}, 0, nil, nil, nil
local function field(death)
  local alike = death.alike or death.group .. ' ' .. death.type .. ' ' .. death.version .. ' ' .. death.tenant
  return alike .. ' ' .. death.class .. ' ' .. death.code .. ' ' .. death.attempt
end
local function is_counted(id, diedAt)
  if anew == nil then
    anew = redis.call('HGET', keys.deadCounts, '~')
    anew_at, anew_id = string.match(anew or '', '^(%d+) (%S+)$')
    anew_at = tonumber(anew_at)
  end
  if not anew_at then return true end
  diedAt = tonumber(diedAt)
  if diedAt ~= anew_at then return diedAt < anew_at end
  local byte_order = require('redis.byte_order')
  return not byte_order.is_before(anew_id, id)
end
local function tally(death, n)
  local field = field(death)
  alike[field] = (alike[field] or 0) + n
  alike_total = alike_total + n
end
local function count(id, death, n)
  if is_counted(id, death.diedAt) then tally(death, n) end
end
local function commit()
  local fields, gone, kept = {}, {}, {}
  for field, n in pairs(alike) do
    if n ~= 0 then fields[#fields + 1] = field end
  end
  if alike_total ~= 0 then fields[#fields + 1] = '#' end
  alike['#'] = alike_total
  local counts = #fields > 0 and redis.call('HMGET', keys.deadCounts, unpack(fields)) or {}
  for i = 1, #fields do
    local field = fields[i]
    local n = (tonumber(counts[i]) or 0) + alike[field]
    -- A total below nothing is wrong, and is left for maintenance to see.
    if n == 0 or n < 0 and field ~= '#' then
      gone[#gone + 1] = field
    else
      kept[#kept + 1] = field
      kept[#kept + 1] = string.format('%d', n)
    end
  end
  if #gone > 0 then redis.call('HDEL', keys.deadCounts, unpack(gone)) end
  if #kept > 0 then redis.call('HSET', keys.deadCounts, unpack(kept)) end
  alike, alike_total, anew = {}, 0, nil
end
return { tally = tally, count = count, commit = commit }
