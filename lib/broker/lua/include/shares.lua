-- Who holds how much of what all users share: lib/contract/ceilings.ts. A hash of "<ceiling> all" and, by holder and tenant,
-- "<ceiling> user <id>" and "<ceiling> tenant <name>" -> how many; "<ceiling> name <id>" -> the holder's name; and
-- "<ceiling> of <member>" -> whose it is, so that exactly what was taken is given back.
local function share_count(key, field) return tonumber(redis.call('HGET', key, field) or 0) or 0 end
local function share_add(key, field, n)
  if redis.call('HINCRBY', key, field, n) <= 0 then redis.call('HDEL', key, field) end
end
-- Looked at before anything is written. `least`: how many there are for sure, whatever the shares say.
-- Returns nil when there is room, or why there is none: whole, user, tenant <name>.
local function share_refused(key, ask, least)
  local c = ask.ceiling
  if ask.perUser > 0 and share_count(key, c .. ' user ' .. ask.holder) >= ask.perUser then return 'user' end
  if ask.perTenant > 0 then
    for _, tenant in ipairs(ask.tenants) do
      if share_count(key, c .. ' tenant ' .. tenant) >= ask.perTenant then return 'tenant ' .. tenant end
    end
  end
  return math.max(share_count(key, c .. ' all'), least or 0) >= ask.most and 'whole' or nil
end
local function share_give(key, ceiling, member)
  local row = redis.call('HGET', key, ceiling .. ' of ' .. member)
  if not row then return end
  redis.call('HDEL', key, ceiling .. ' of ' .. member)
  share_add(key, ceiling .. ' all', -1)
  local readable, of = pcall(cjson.decode, row)
  if not readable or type(of) ~= 'table' or type(of.holder) ~= 'string' then return end
  share_add(key, ceiling .. ' user ' .. of.holder, -1)
  if share_count(key, ceiling .. ' user ' .. of.holder) == 0 then redis.call('HDEL', key, ceiling .. ' name ' .. of.holder) end
  for _, tenant in ipairs(type(of.tenants) == 'table' and of.tenants or {}) do share_add(key, ceiling .. ' tenant ' .. tenant, -1) end
end
-- A member that is held already stays its first holder's.
local function share_take(key, ask, member)
  local c = ask.ceiling
  local row = cjson.encode({ holder = ask.holder, name = ask.name, tenants = ask.tenants, at = ask.at })
  if redis.call('HSETNX', key, c .. ' of ' .. member, row) == 0 then return end
  share_add(key, c .. ' all', 1)
  share_add(key, c .. ' user ' .. ask.holder, 1)
  redis.call('HSET', key, c .. ' name ' .. ask.holder, ask.name)
  for _, tenant in ipairs(ask.tenants) do share_add(key, c .. ' tenant ' .. tenant, 1) end
end
-- What one ceiling counted counts under another from now on, as the same holder's.
local function share_pass(key, ceiling, member, to, as)
  local row = redis.call('HGET', key, ceiling .. ' of ' .. member)
  local readable, of = pcall(cjson.decode, row or '')
  share_give(key, ceiling, member)
  if not readable or type(of) ~= 'table' or type(of.holder) ~= 'string' then return end
  share_take(key, { ceiling = to, holder = of.holder, name = of.name or of.holder, tenants = type(of.tenants) == 'table' and of.tenants or {} }, as)
end
-- Gives back what was removed by others than the scripts that take. `is_there(member)` says whether it still is.
local function share_settle(key, ceiling, is_there)
  local mark = ceiling .. ' of '
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if string.sub(field, 1, #mark) == mark and not is_there(string.sub(field, #mark + 1)) then
      share_give(key, ceiling, string.sub(field, #mark + 1))
    end
  end
end
