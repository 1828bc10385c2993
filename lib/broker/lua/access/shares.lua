-- How much of each quota users and tenants hold: lib/contract/access/quotas.ts. A hash of "<ceiling> all" and, by holder and tenant,
-- "<ceiling> user <id>" and "<ceiling> tenant <name>" -> how many; "<ceiling> name <id>" -> the holder's name; and
-- "<ceiling> of <member>" -> its owner, so that exactly this share is given back: holder, name, tenants and, for some ceilings,
-- since when and, if the member weighs more than one, its weight, a line each.
-- Reads the share a script should take, a line each: ceiling, the most in all, of a user, of a tenant (0: no bound),
-- since when, holder, name, tenants. shares.ts writes it.
local function parse(text)
  local ceiling, most, perUser, perTenant, at, holder, name, tenants = string.match(text,
    '^([^\n]+)\n(%d+)\n(%d+)\n(%d+)\n(%d*)\n([^\n]+)\n([^\n]*)\n([^\n]*)$')
  if not ceiling then return nil end
  return { ceiling = ceiling, most = tonumber(most), perUser = tonumber(perUser), perTenant = tonumber(perTenant),
    at = at, holder = holder, name = name, tenants = tenants }
end
-- Several, each behind a record separator (\30).
local function parse_all(text)
  local asks = {}
  for one in string.gmatch(text, '[^\30]+') do asks[#asks + 1] = parse(one) end
  return asks
end
local function format(ask, weight)
  return ask.holder .. '\n' .. ask.name .. '\n' .. ask.tenants .. '\n' .. ask.at .. (weight > 1 and string.format('\n%d', weight) or '')
end
-- The owner of a member; nil when the row is missing or damaged.
local function owner(key, ceiling, member)
  local holder, name, tenants, at, weight = string.match(redis.call('HGET', key, ceiling .. ' of ' .. member) or '',
    '^([^\n]+)\n([^\n]*)\n([^\n]*)\n(%d*)\n?(%d*)$')
  return holder and { holder = holder, name = name, tenants = tenants, at = at, weight = tonumber(weight) or 1 } or nil
end
local function count(key, field) return tonumber(redis.call('HGET', key, field) or 0) or 0 end
local function add(key, field, n)
  if redis.call('HINCRBY', key, field, n) <= 0 then redis.call('HDEL', key, field) end
end
-- Asked before the first write. `least`: how many members exist, even if shares count fewer. `weight`: of the member, 1 if left out.
-- Returns nil when there is room, or why there is none: whole, user, tenant <name>.
local function refusal(key, ask, least, weight)
  local c, more = ask.ceiling, weight or 1
  if ask.perUser > 0 and count(key, c .. ' user ' .. ask.holder) + more > ask.perUser then return 'user' end
  if ask.perTenant > 0 then
    for tenant in string.gmatch(ask.tenants, '%S+') do
      if count(key, c .. ' tenant ' .. tenant) + more > ask.perTenant then return 'tenant ' .. tenant end
    end
  end
  return math.max(count(key, c .. ' all'), least or 0) + more > ask.most and 'whole' or nil
end
local function give_back(key, ceiling, member)
  local of = owner(key, ceiling, member)
  if redis.call('HDEL', key, ceiling .. ' of ' .. member) == 0 then return end
  add(key, ceiling .. ' all', of and -of.weight or -1)
  if not of then return end
  add(key, ceiling .. ' user ' .. of.holder, -of.weight)
  if count(key, ceiling .. ' user ' .. of.holder) == 0 then redis.call('HDEL', key, ceiling .. ' name ' .. of.holder) end
  for tenant in string.gmatch(of.tenants, '%S+') do add(key, ceiling .. ' tenant ' .. tenant, -of.weight) end
end
-- A member that is held already stays its first holder's.
local function take(key, ask, member, weight)
  local c, more = ask.ceiling, weight or 1
  if redis.call('HSETNX', key, c .. ' of ' .. member, format(ask, more)) == 0 then return end
  add(key, c .. ' all', more)
  add(key, c .. ' user ' .. ask.holder, more)
  redis.call('HSET', key, c .. ' name ' .. ask.holder, ask.name)
  for tenant in string.gmatch(ask.tenants, '%S+') do add(key, c .. ' tenant ' .. tenant, more) end
end
-- Moves a member to another ceiling; the holder stays.
local function pass(key, ceiling, member, to, as)
  local of = owner(key, ceiling, member)
  give_back(key, ceiling, member)
  if not of then return end
  of.ceiling = to
  take(key, of, as, of.weight)
end
-- Gives back shares of members that other scripts removed, in a hash of some hundred rows. `is_there(member)`: whether it still exists.
local function settle(key, ceiling, is_there)
  local mark = ceiling .. ' of '
  local rows = redis.call('HSCAN', key, '0', 'COUNT', 500)[2]
  for i = 1, #rows, 2 do
    if string.sub(rows[i], 1, #mark) == mark and not is_there(string.sub(rows[i], #mark + 1)) then
      give_back(key, ceiling, string.sub(rows[i], #mark + 1))
    end
  end
end
return { parse = parse, owner = owner, parse_all = parse_all, refusal = refusal, give_back = give_back, take = take, pass = pass, settle = settle }
