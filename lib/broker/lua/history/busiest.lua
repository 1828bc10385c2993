-- The five types and the five tenants with the most work of the last ten minutes, from `tallies`, which is emptied. The text of a block:
-- their names joined by spaces, or nothing when they are those of the block before; a newline; for each claimed, failed and died, rounded to a byte each.
local keys = require('keys')
local row_codec = require('history.row_codec')
local KEPT = 5
-- Every two hours with names at least, since the oldest blocks go.
local BLOCKS_WITHOUT_NAMES = 11
local function order(a, b) return a.all > b.all or a.all == b.all and a.id < b.id end
local function take()
  local tallies, byName, names = redis.call('HGETALL', keys.tallies), {}, { t = {}, n = {} }
  local before, blocks = '', 0
  for i = 1, #tallies, 2 do
    local kind, name, what = string.match(tallies[i], '^([tn]):(%S+):([cfd])$')
    if kind then
      local id = kind .. ':' .. name
      if not byName[id] then
        byName[id] = { id = id, c = 0, f = 0, d = 0, all = 0 }
        table.insert(names[kind], byName[id])
      end
      byName[id][what] = tonumber(tallies[i + 1])
      byName[id].all = byName[id].all + tonumber(tallies[i + 1])
    elseif tallies[i] == '.names' then
      before, blocks = tallies[i + 1], tonumber(string.match(tallies[i + 1], '^%d+'))
    end
  end
  local ids, counts = {}, {}
  for _, kind in ipairs({ 't', 'n' }) do
    table.sort(names[kind], order)
    for i = 1, math.min(KEPT, #names[kind]) do ids[#ids + 1] = names[kind][i].id end
  end
  -- By name, so that the same five need not be named again.
  table.sort(ids)
  for i, id in ipairs(ids) do
    counts[i] = row_codec.round(byName[id].c) .. row_codec.round(byName[id].f) .. row_codec.round(byName[id].d)
  end
  local list = table.concat(ids, ' ')
  local isKnown = blocks < BLOCKS_WITHOUT_NAMES and before == blocks .. ' ' .. list
  redis.call('UNLINK', keys.tallies)
  redis.call('HSET', keys.tallies, '.names', (isKnown and blocks + 1 or 0) .. ' ' .. list)
  return (isKnown and '' or list) .. '\n' .. table.concat(counts)
end
return { take = take }
