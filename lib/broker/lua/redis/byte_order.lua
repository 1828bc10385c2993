-- Byte order, as an index has its members; Lua's own comparison follows the locale.
local function is_before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end
-- How many entries of an index stand before (score, id); with `including`, that entry counts too. Ties are searched by halves.
local function rank(key, score, id, including)
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. score)
  local high = redis.call('ZCOUNT', key, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local member = redis.call('ZRANGE', key, middle, middle)[1]
    if is_before(member, id) or (including and member == id) then low = middle + 1 else high = middle end
  end
  return low
end
return { is_before = is_before, rank = rank }
