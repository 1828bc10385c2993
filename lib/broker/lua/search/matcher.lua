-- Evaluates the program of a query for a job: true, false, or nil when its row was not read yet, or when only Node can decide. Text of
-- users is never a pattern. Programs are lists: a test, then its operands; see lib/broker/search/plan/compile-query.ts.
local json_escapes = require('search.json_escapes')
local keys = require('keys')
local needle_anchor = require('search.needle_anchor')
local function compare(how, a, b)
  if how == '<' then return a < b end
  if how == '<=' then return a <= b end
  if how == '>' then return a > b end
  if how == '>=' then return a >= b end
  return a == b
end
local function contains(text, needle, from) return string.find(text, needle, from or 1, true) ~= nil end
-- In the payload, as it is stored or as its escapes read. One that has other letters than ASCII may be no text at all, one with escapes no
-- JSON: that is not for here to say.
local function in_payload(f, needle)
  if not f.row then return false end
  local is_in = needle_anchor.may_be_in(f.row, needle)
  if is_in then f.low = f.low or string.lower(f.row) end
  if not is_in or not contains(f.low, needle, f.payload) then
    if json_escapes.may_hold(f.row, needle) then return nil end
    return false
  end
  if f.ascii == nil then f.ascii = not string.find(f.row, '[\128-\255]', f.payload) end
  if f.ascii then return true end
  return nil
end
-- Whether something in the payload may be hidden by a rule: a word of the rules, from p[4] on, stands in it (whatever its case, - and _
-- aside), or a backslash, behind which a name is not what it seems. Then only a JSON parser can decide.
local function may_hide(f, p)
  if #p < 4 then return false end
  if not f.row then return true end
  if contains(f.row, '\\', f.payload) then return true end
  f.low = f.low or string.lower(f.row)
  f.plain = f.plain or string.gsub(string.sub(f.low, f.payload), '[-_]', '')
  for i = 4, #p do
    if contains(f.plain, p[i]) then return true end
  end
  return false
end
-- Whether what JSON has here may be that value: itself, or a list or an object with it inside.
local function may_be(json, from, value, whole)
  local first = string.sub(json, from, from)
  if not value or first == '[' or first == '{' then return true end
  if first == '"' then from = from + 1 end
  if string.sub(json, from, from + #value - 1) == value then return true end
  return whole and string.find(json, '^-?%d+[.eE]', from) ~= nil
end
-- A payload may have its key thousands of times. Each is worth so many bytes of a row that is only read, and after so many of
-- them the rest is left to Node.
local KEY_BYTES, KEYS_MAX = 80, 500
local cost = { bytes = 0 }
-- A look at the row as a whole is quicker than taking it apart.
local function is_elsewhere(f, value)
  local row = rawget(f, 'death')
  return row and row ~= '' and not contains(row, value)
end
local matches
local TESTS = {
  ['and'] = function(p, f)
    local unsure = false
    for i = 2, #p do
      local fits = matches(p[i], f)
      if fits == false then return false end
      if fits == nil then unsure = true end
    end
    if unsure then return nil end
    return true
  end,
  ['or'] = function(p, f)
    local unsure = false
    for i = 2, #p do
      local fits = matches(p[i], f)
      if fits then return true end
      if fits == nil then unsure = true end
    end
    if unsure then return nil end
    return false
  end,
  ['not'] = function(p, f)
    local fits = matches(p[2], f)
    if fits == nil then return nil end
    return not fits
  end,
  is = function(p, f)
    if p[2] ~= 'id' and is_elsewhere(f, p[3]) then return false end
    local value = f[p[2]]
    if value == nil then return nil end
    return value == p[3]
  end,
  -- p[3]: the names, with a space before and behind each.
  among = function(p, f)
    local value = f[p[2]]
    if value == nil then return nil end
    return value and contains(p[3], ' ' .. value .. ' ')
  end,
  begins = function(p, f)
    if p[2] ~= 'id' and is_elsewhere(f, p[3]) then return false end
    local value = f[p[2]]
    if value == nil then return nil end
    return value and string.sub(value, 1, #p[3]) == p[3]
  end,
  number = function(p, f)
    local value = f[p[2]]
    if value == nil then return nil end
    return compare(p[3], tonumber(value), p[4])
  end,
  entered = function(p, f)
    if f.entered == nil then return nil end
    return compare(p[2], f.entered, p[3])
  end,
  -- Within the second line of the row, where a reference stands as JSON.
  reference = function(p, f)
    if not f.looked then return nil end
    return f.row and contains(f.row, p[2]) and contains(f.rest, p[2]) or false
  end,
  -- Of a completed job the operation is only known by asking for it.
  fulfilled = function(p, f)
    return redis.call('ZSCORE', keys.outcomes, p[2] .. '|' .. f.id) == f.score
  end,
  -- p[3]: the same as JSON writes it, for the message; from p[4] on the words of rules that hide something in payloads.
  text = function(p, f)
    local needle = p[2]
    if not f.looked then return nil end
    if contains(string.lower(f.id), needle) or contains(string.lower(f.type), needle) then return true end
    if f.code and contains(string.lower(f.code), needle) then return true end
    local found = in_payload(f, needle)
    if found and may_hide(f, p) then found = nil end
    if found == false and f.message and contains(string.lower(f.message), p[3]) then
      -- Behind a backslash a letter is not what it seems, and a hidden value in a message is not shown.
      found = nil
      if not contains(f.message, '\\') and not may_hide(f, p) then found = true end
    end
    return found
  end,
  -- Whether a payload may have such a value: only a reader of JSON can tell. p[2]: the key in quotes, p[3]: how the value begins,
  -- p[4]: whether that is a whole number, which others may write with a point or an exponent. False: not to be looked for.
  payload = function(p, f)
    if not f.looked then return nil end
    if not f.row or f.payload > #f.row then return false end
    if not p[2] or contains(f.row, '\\', f.payload) then return nil end
    local at = f.payload
    for _ = 1, KEYS_MAX do
      local _, last = string.find(f.row, p[2], at, true)
      if not last then return false end
      local from = string.match(f.row, '^[ \t\r\n]*:[ \t\r\n]*()', last + 1)
      if from and may_be(f.row, from, p[3], p[4]) then return nil end
      at = last + 1
      cost.bytes = cost.bytes + KEY_BYTES
    end
    return nil
  end,
  unsure = function() return nil end,
}
-- A program stands in ARGV, from `at` on: what to do, how many operands, and these: `p` and another program, `s` with a text,
-- `n` with a number, or `f` for none. Answers where it ends, too.
local function program(at)
  local list = { ARGV[at] }
  local operands = tonumber(ARGV[at + 1])
  at = at + 2
  for _ = 1, operands do
    local kind, rest = string.sub(ARGV[at], 1, 1), string.sub(ARGV[at], 2)
    at = at + 1
    local value = false
    if kind == 'p' then value, at = program(at) end
    if kind == 's' then value = rest end
    if kind == 'n' then value = tonumber(rest) end
    list[#list + 1] = value
  end
  return list, at
end
matches = function(list, f) return TESTS[list[1]](list, f) end
return { program = program, matches = matches, cost = cost }
