-- The anchor of a needle: a short part of it. A row with no spelling of the anchor has none of the needle, and plain finds tell so quickly.
local find, sub = string.find, string.sub
-- Letters by how common they are in texts and hexadecimal digits, most first. Digits and signs count as the ninth.
local COMMON, SIGN_RANK = 'eatcdfboinrslumhpgwyvkjxqz', 9
local PLAIN_MAX, LETTERS_MAX = 6, 6
local function rank(letter) return find(COMMON, letter, 1, true) or SIGN_RANK end
local function either_case(text)
  local forms = { '' }
  for i = 1, #text do
    local low, n = sub(text, i, i), #forms
    local high = string.upper(low)
    for k = 1, low == high and 0 or n do forms[n + k] = forms[k] .. high end
    for k = 1, n do forms[k] = forms[k] .. low end
  end
  return forms
end
-- How JSON may escape these letters of ASCII, in lower case.
local function ascii_escapes(text)
  local forms = {}
  for i = 1, #text do
    for _, letter in ipairs(either_case(sub(text, i, i))) do
      for _, digits in ipairs(either_case(string.format('%02x', string.byte(letter)))) do forms[#forms + 1] = '\\u00' .. digits end
    end
  end
  return forms
end
-- The longest run of signs and digits, which have no case; else the rarest two characters. Of those that no writer has to escape, and as
-- which no escape is shown.
local function plain_part(needle)
  local most, best, best_rank = '', '', 0
  for run in string.gmatch(needle, '[%w %-_.,:;@#%%()*+=?!|~%[%]{}$^`]+') do
    for signs in string.gmatch(run, '%A+') do
      if #signs > math.max(1, #most) then most = sub(signs, 1, PLAIN_MAX) end
    end
    for at = 1, #run - 1 do
      local two_rank = rank(sub(run, at, at)) + rank(sub(run, at + 1, at + 1))
      if two_rank > best_rank then best, best_rank = sub(run, at, at + 1), two_rank end
    end
  end
  return most ~= '' and most or best
end
-- A letter beyond ASCII as an escape, or as two; nil: not UTF-8.
local function escape_of(letter)
  local first, code = string.byte(letter), 0
  local size = first >= 240 and 4 or first >= 224 and 3 or 2
  if #letter ~= size then return nil end
  code = first % 2 ^ (7 - size)
  for i = 2, size do code = code * 64 + string.byte(letter, i) % 64 end
  if code < 65536 then return string.format('\\u%04x', code) end
  return string.format('\\u%04x\\u%04x', 55296 + math.floor((code - 65536) / 1024), 56320 + code % 1024)
end
-- The longest run of letters beyond ASCII, and of its escapes the longest part that case may spell in two ways.
local function letters_anchor(needle)
  local longest = ''
  for run in string.gmatch(needle, '[\194-\244][\128-\244]*') do
    if #run > #longest then longest = run end
  end
  local letters, escapes, leads = '', '', {}
  for letter in string.gmatch(longest, '[\194-\244][\128-\191]*') do
    local escape = escape_of(letter)
    if not escape or #leads == LETTERS_MAX then break end
    letters, escapes, leads[#leads + 1] = letters .. letter, escapes .. escape, sub(letter, 1, 1)
  end
  if letters == '' then return false end
  local part = ''
  for from = 1, #escapes do
    local text = string.match(escapes, '^[^a-f]*[a-f]?[^a-f]*', from)
    if #text > #part then part = text end
  end
  return { raw = { letters }, escapes = { part, (string.gsub(part, '[a-f]', string.upper)) }, leads = leads }
end
-- False: the needle has no such part.
local ANCHORS = setmetatable({}, { __index = function(all, needle)
  -- A letter behind a backslash may be the name of an escape.
  local text = string.gsub(needle, '\\+.?', function(escape) return string.rep('\n', #escape) end)
  local plain = plain_part(text)
  local anchor = plain ~= '' and { raw = either_case(plain), escapes = ascii_escapes(plain) } or letters_anchor(text)
  if anchor then
    anchor.before = find(text, anchor.raw[1], 1, true) - 1
    anchor.last = anchor.before + #anchor.raw[1]
    anchor.tail = sub(needle, anchor.before + 1)
    anchor.head = string.match(sub(text, 1, anchor.before), '[\194-\244][\128-\191]*$')
    anchor.head_escape = anchor.head and escape_of(anchor.head)
    if not anchor.head_escape then anchor.head = nil end
  end
  all[needle] = anchor
  return anchor
end })
local function has_any(text, forms)
  for i = 1, #forms do
    if find(text, forms[i], 1, true) then return true end
  end
  return false
end
-- Whether the row goes on as the needle does, up to an escape other than of a slash, and has the letter before, in any spelling.
local function fits(row, at, anchor)
  local tail, head = anchor.tail, anchor.head
  local text = string.lower(sub(row, at, at + 2 * #tail))
  if find(text, '\\/', 1, true) then text = string.gsub(text, '\\/', '/') end
  local escape = find(text, '\\', 1, true)
  local size = math.min(#tail, escape and escape - 1 or #tail)
  if sub(text, 1, size) ~= sub(tail, 1, size) then return false end
  if not head or sub(row, at - #head, at - 1) == head then return true end
  return string.lower(sub(row, math.max(1, at - #anchor.head_escape), at - 1)) == anchor.head_escape
end
-- Adds where the form stands, and the needle may stand around it. False: in too many places.
local FINDS, PLACES = 64, 8
local function add_places(places, row, form, anchor)
  local at = find(row, form, 1, true)
  for _ = 1, FINDS do
    if not at then return true end
    if not anchor or fits(row, at, anchor) then places[#places + 1] = at end
    if #places == PLACES then return false end
    at = find(row, form, at + 1, true)
  end
  return not at
end
-- Whether a text may have the needle, which is in lower case, as it is.
local function may_be_in(text, needle)
  local anchor = ANCHORS[needle]
  return not anchor or has_any(text, anchor.raw)
end
-- Whether it has.
local function is_in(text, needle)
  local anchor, places, few = ANCHORS[needle], {}, true
  for i = 1, anchor and #anchor.raw or 0 do few = few and add_places(places, text, anchor.raw[i]) end
  if not anchor or not few then return find(string.lower(text), needle, 1, true) ~= nil end
  for i = 1, #places do
    local from = math.max(1, places[i] - anchor.before)
    if string.lower(sub(text, from, from + #needle - 1)) == needle then return true end
  end
  return false
end
-- Where in a row with escapes a spelling of the needle may have its anchor, and the anchor. Nil: anywhere.
local function places_in(row, needle)
  local anchor, places = ANCHORS[needle], {}
  if not anchor then return nil end
  for i = 1, #anchor.raw do
    if not add_places(places, row, anchor.raw[i], anchor) then return nil end
  end
  if anchor.leads then
    if not find(row, '\\u', 1, true) then return places, anchor end
    -- Letters of which some are escaped and others are not have no spelling that one find sees.
    if has_any(row, anchor.leads) then return nil end
    for i = 1, #anchor.escapes do
      if not add_places(places, row, anchor.escapes[i]) then return nil end
    end
  elseif find(row, '\\u00', 1, true) and has_any(row, anchor.escapes) then
    return nil
  end
  return places, anchor
end
return { may_be_in = may_be_in, is_in = is_in, places_in = places_in }
