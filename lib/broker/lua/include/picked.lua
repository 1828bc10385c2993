-- Some entries of a list, in their order.
local function picked(all, at)
  local some = {}
  for i = 1, #at do some[i] = all[at[i]] end
  return some
end
