-- Takes an id out of the list that somebody's sessions or tokens stand in, beside the rows: the field `of:<whose>`.
local function leave_list(key, whose, id)
  local mine, others = 'of:' .. whose, {}
  for one in string.gmatch(redis.call('HGET', key, mine) or '', '%x+') do
    if one ~= id then others[#others + 1] = one end
  end
  redis.call('HDEL', key, mine)
  if #others > 0 then redis.call('HSET', key, mine, table.concat(others, ' ')) end
end
