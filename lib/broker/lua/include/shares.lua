-- Who holds how much of what all users share: lib/contract/ceilings.ts. A hash of "<ceiling> all" and, by holder and tenant,
-- "<ceiling> user <id>" and "<ceiling> tenant <name>" -> how many; "<ceiling> name <id>" -> the holder's name; and
-- "<ceiling> of <member>" -> whose it is, so that exactly what was taken is given back: holder, name, tenants and, where it is
-- asked for, since when, a line each.
-- Reads what a script is asked to take, a line each: ceiling, how many there may be in all, of a user, of a tenant (0: no bound),
-- since when, holder, name, tenants. shares.ts writes it.
local function share_ask(text)
  local ceiling, most, perUser, perTenant, at, holder, name, tenants = string.match(text,
    '^([^\n]+)\n(%d+)\n(%d+)\n(%d+)\n(%d*)\n([^\n]+)\n([^\n]*)\n([^\n]*)$')
  if not ceiling then return nil end
  return { ceiling = ceiling, most = tonumber(most), perUser = tonumber(perUser), perTenant = tonumber(perTenant),
    at = at, holder = holder, name = name, tenants = tenants }
end
-- Several, each behind a record separator (\30).
local function share_asks(text)
  local asks = {}
  for one in string.gmatch(text, '[^\30]+') do asks[#asks + 1] = share_ask(one) end
  return asks
end
local function share_row(ask) return ask.holder .. '\n' .. ask.name .. '\n' .. ask.tenants .. '\n' .. ask.at end
-- Whose a member is; nil when the row is missing or damaged.
local function share_owner(key, ceiling, member)
  local holder, name, tenants, at = string.match(redis.call('HGET', key, ceiling .. ' of ' .. member) or '',
    '^([^\n]+)\n([^\n]*)\n([^\n]*)\n(%d*)$')
  return holder and { holder = holder, name = name, tenants = tenants, at = at } or nil
end
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
    for tenant in string.gmatch(ask.tenants, '%S+') do
      if share_count(key, c .. ' tenant ' .. tenant) >= ask.perTenant then return 'tenant ' .. tenant end
    end
  end
  return math.max(share_count(key, c .. ' all'), least or 0) >= ask.most and 'whole' or nil
end
local function share_give(key, ceiling, member)
  local of = share_owner(key, ceiling, member)
  if redis.call('HDEL', key, ceiling .. ' of ' .. member) == 0 then return end
  share_add(key, ceiling .. ' all', -1)
  if not of then return end
  share_add(key, ceiling .. ' user ' .. of.holder, -1)
  if share_count(key, ceiling .. ' user ' .. of.holder) == 0 then redis.call('HDEL', key, ceiling .. ' name ' .. of.holder) end
  for tenant in string.gmatch(of.tenants, '%S+') do share_add(key, ceiling .. ' tenant ' .. tenant, -1) end
end
-- A member that is held already stays its first holder's.
local function share_take(key, ask, member)
  local c = ask.ceiling
  if redis.call('HSETNX', key, c .. ' of ' .. member, share_row(ask)) == 0 then return end
  share_add(key, c .. ' all', 1)
  share_add(key, c .. ' user ' .. ask.holder, 1)
  redis.call('HSET', key, c .. ' name ' .. ask.holder, ask.name)
  for tenant in string.gmatch(ask.tenants, '%S+') do share_add(key, c .. ' tenant ' .. tenant, 1) end
end
-- What one ceiling counted counts under another from now on, as the same holder's.
local function share_pass(key, ceiling, member, to, as)
  local of = share_owner(key, ceiling, member)
  share_give(key, ceiling, member)
  if not of then return end
  of.ceiling = to
  share_take(key, of, as)
end
-- Gives back what was removed by others than the scripts that take, in a hash of some hundred rows. `is_there(member)` says whether
-- it still is.
local function share_settle(key, ceiling, is_there)
  local mark = ceiling .. ' of '
  local rows = redis.call('HSCAN', key, '0', 'COUNT', 500)[2]
  for i = 1, #rows, 2 do
    if string.sub(rows[i], 1, #mark) == mark and not is_there(string.sub(rows[i], #mark + 1)) then
      share_give(key, ceiling, string.sub(rows[i], #mark + 1))
    end
  end
end
