-- Rows of a reply, one behind the other. Lua joins a long text in steps, and reads every byte of each step: pieces of 8 KB are joined in
-- one, and long rows are not.
local function join(rows)
  if #rows == 1 then return rows end
  local pieces, from, size = {}, 1, 0
  for i = 1, #rows do
    local length = #rows[i]
    if size > 0 and size + length > 8000 then
      pieces[#pieces + 1] = table.concat(rows, '', from, i - 1)
      from, size = i, 0
    end
    size = size + length
  end
  pieces[#pieces + 1] = table.concat(rows, '', from)
  return pieces
end
return { join = join }
