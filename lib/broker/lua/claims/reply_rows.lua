-- Rows of a reply, one behind the other. Lua joins a long text in steps, and reads every byte of each step: pieces of 8 KB are joined in
-- one, and long rows are not.
local function add(reply, rows)
  local from, size = 1, 0
  for i = 1, #rows do
    local length = #rows[i]
    if size > 0 and size + length > 8000 then
      reply[#reply + 1] = table.concat(rows, '', from, i - 1)
      from, size = i, 0
    end
    size = size + length
  end
  reply[#reply + 1] = from == #rows and rows[from] or table.concat(rows, '', from)
end
return { add = add }
