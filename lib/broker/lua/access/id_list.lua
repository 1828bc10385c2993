-- Removes an id from the list of a user's sessions or tokens: the field `of:<user>`, beside the rows.
local function remove(key, whose, id)
  local mine, others = 'of:' .. whose, {}
  for one in string.gmatch(redis.call('HGET', key, mine) or '', '%x+') do
    if one ~= id then others[#others + 1] = one end
  end
  redis.call('HDEL', key, mine)
  if #others > 0 then redis.call('HSET', key, mine, table.concat(others, ' ')) end
end
return { remove = remove }
