-- Makes room in a queue's record of changes. Up to 300 changes of settings and sharding stay whatever else is recorded, of other changes the
-- rest of 1,000. Of both, users with most lose their oldest: no user pushes out what others did.
local SETTINGS = { config = true, sharding = true }
local SETTINGS_MAX, ALL_MAX = 300, 1000
local function user_of(by)
  return string.match(by, '"ownerId":"([^"]*)"') or string.match(by, '"actorId":"([^"]*)"') or string.match(by, '"actor":"([^"]*)"') or ''
end
-- `lists`: of each user the ids, oldest first. The ids that are one too many when together `most` stay.
local function excess(lists, most, gone)
  local users = {}
  for user in pairs(lists) do users[#users + 1] = user end
  table.sort(users, function(a, b) return #lists[a] == #lists[b] and a < b or #lists[a] < #lists[b] end)
  for i = 1, #users do
    local ids = lists[users[i]]
    local share = math.floor(most / (#users - i + 1))
    for n = 1, #ids - share do gone[#gone + 1] = ids[n] end
    most = most - math.min(#ids, share)
  end
end
local function trim(key)
  local settings, others, kept = {}, {}, 0
  -- An older version let some more stand than this one.
  local entries = redis.call('XRANGE', key, '-', '+', 'COUNT', 2000)
  for i = 1, #entries do
    local id, fields = entries[i][1], entries[i][2]
    local lists, user = SETTINGS[fields[4]] and settings or others, user_of(fields[6] or '')
    if lists == settings then kept = kept + 1 end
    lists[user] = lists[user] or {}
    table.insert(lists[user], id)
  end
  local gone = {}
  excess(settings, SETTINGS_MAX, gone)
  excess(others, ALL_MAX - math.min(kept, SETTINGS_MAX), gone)
  for i = 1, #gone, 500 do redis.call('XDEL', key, unpack(gone, i, math.min(i + 499, #gone))) end
end
return { trim = trim }
