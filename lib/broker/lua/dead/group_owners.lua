-- Which tenant made a failure group: in `limits`, "group:<group>" -> tenant, and "groups:<tenant>" -> how many. Jobs without a tenant
-- (`default`) own none: they leave a quarter of all groups to tenants. Written at the end.
local keys = require('keys')
local GROUPS_MAX, TENANT_MAX = 2000, 500
-- Beyond its share a tenant makes this many groups of all of a type, class and code.
local COMMON_MAX = 50
local group_counts, group_changes, group_owners, groups_gone, groups_released = {}, {}, {}, {}, {}
local function count(tenant)
  group_counts[tenant] = group_counts[tenant] or tonumber(redis.call('HGET', keys.limits, 'groups:' .. tenant)) or 0
  return group_counts[tenant]
end
-- Whether the tenant may make another group, of `total` that there are. `common`: one of all of a type, class and code.
local function has_room(tenant, total, common)
  if total >= GROUPS_MAX then return false end
  if tenant == 'default' then return common or total < GROUPS_MAX - TENANT_MAX end
  return total < TENANT_MAX or count(tenant) < TENANT_MAX + (common and COMMON_MAX or 0)
end
local function take(group, tenant)
  if tenant == 'default' then return end
  group_counts[tenant], group_changes[tenant] = count(tenant) + 1, true
  local n = #group_owners
  group_owners[n + 1], group_owners[n + 2] = 'group:' .. group, tenant
end
-- Of groups that are gone, or about to go.
local function release(groups)
  if #groups == 0 then return end
  local fields = {}
  for i = 1, #groups do fields[i] = 'group:' .. groups[i] end
  local owners = redis.call('HMGET', keys.limits, unpack(fields))
  for i = 1, #groups do
    local tenant = owners[i]
    if tenant and not groups_released[groups[i]] then
      groups_released[groups[i]] = true
      group_counts[tenant], group_changes[tenant] = count(tenant) - 1, true
      groups_gone[#groups_gone + 1] = fields[i]
    end
  end
end
local function commit()
  local rows, gone = group_owners, groups_gone
  for tenant in pairs(group_changes) do
    local n = group_counts[tenant]
    if n > 0 then
      rows[#rows + 1], rows[#rows + 2] = 'groups:' .. tenant, string.format('%d', n)
    else
      gone[#gone + 1] = 'groups:' .. tenant
    end
  end
  if #gone > 0 then redis.call('HDEL', keys.limits, unpack(gone)) end
  if #rows > 0 then redis.call('HSET', keys.limits, unpack(rows)) end
  group_counts, group_changes, group_owners, groups_gone, groups_released = {}, {}, {}, {}, {}
end
return { GROUPS_MAX = GROUPS_MAX, TENANT_MAX = TENANT_MAX, has_room = has_room, take = take, release = release, commit = commit }
