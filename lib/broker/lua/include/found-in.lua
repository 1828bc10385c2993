-- Which of the ids in ARGV, from `at` on, are in one of these indexes. Answers for each whether, and those that are, each once.
local function found_in(sources, at)
  local ids, seen, found, n = {}, {}, {}, #ARGV - at + 1
  if n == 0 then return found, ids end
  for _, source in ipairs(sources) do
    local scores = redis.call('ZMSCORE', source, unpack(ARGV, at, #ARGV))
    for i = 1, n do
      local id = ARGV[at + i - 1]
      if scores[i] and not seen[id] then
        seen[id] = true
        found[i] = true
      end
    end
  end
  for i = 1, n do
    if found[i] then ids[#ids + 1] = ARGV[at + i - 1] end
  end
  return found, ids
end
