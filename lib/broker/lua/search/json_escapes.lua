-- Texts that JSON spells with escapes: Python writes `ü` as \u00fc, PHP `/` as \/, Go `<` as \u003c.
-- A row with more escapes is left to Node. To read a byte or an escape costs as much as so many bytes of a row that is only looked at.
local ESCAPES_MAX, ESCAPE_BYTES, READ_BYTES = 4000, 16, 3
local BACKSLASH = string.char(92)
local cost = { bytes = 0 }
local SHORT = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t', ['"'] = '"', ['\\'] = '\\', ['/'] = '/' }
-- A half of a surrogate pair comes out as three bytes, too, and `pair` joins two.
local function utf8(code)
  if code < 128 then return string.char(code) end
  if code < 2048 then return string.char(192 + math.floor(code / 64), 128 + code % 64) end
  return string.char(224 + math.floor(code / 4096), 128 + math.floor(code / 64) % 64, 128 + code % 64)
end
-- By what stands behind the backslash; of `\nabcd`, a line break and four letters, all that could be digits.
local function spelling(of_code)
  return setmetatable({}, { __index = function(all, escape)
    local first, rest = string.sub(escape, 1, 1), string.sub(escape, 2)
    local code = first == 'u' and #rest == 4 and tonumber(rest, 16)
    local meant = code and of_code(code) or not code and SHORT[first] and of_code(string.byte(SHORT[first])) .. rest
    all[escape] = meant or '\\' .. escape
    return all[escape]
  end })
end
local READ = spelling(utf8)
-- As the page shows it: only what JSON must escape is escaped, as JavaScript does it.
local SHOWN = spelling(function(code)
  if code >= 32 and code ~= 34 and code ~= 92 then return utf8(code) end
  for letter, meant in pairs(SHORT) do
    if string.byte(meant) == code then return '\\' .. letter end
  end
  return string.format('\\u%04x', code)
end)
local SURROGATES = '\237([\160-\175][\128-\191])\237([\176-\191][\128-\191])'
local function pair(high, low)
  local h1, h2, l1, l2 = string.byte(high, 1), string.byte(high, 2), string.byte(low, 1), string.byte(low, 2)
  local code = 65536 + ((h1 - 160) * 64 + h2 - 128) * 1024 + (l1 - 176) * 64 + l2 - 128
  return string.char(240 + math.floor(code / 262144), 128 + math.floor(code / 4096) % 64, 128 + math.floor(code / 64) % 64, 128 + code % 64)
end
-- How writers may spell the beginning of a needle, in lower case: each of its first letters beyond ASCII as it is or as an escape. False: in
-- more ways than that.
local LETTERS_READ = 2
local SPELLINGS = setmetatable({}, { __index = function(all, needle)
  all[needle] = false
  if string.find(needle, '[%c"\\/\127]') or string.find(needle, '\237[\160-\191]') then return false end
  local forms, at, letters = { { text = '' } }, 1, 0
  for _ = 1, #needle do
    if at > #needle or letters == LETTERS_READ then break end
    local byte = string.byte(needle, at)
    local size = byte < 128 and 1 or byte >= 240 and 4 or byte >= 224 and 3 or byte >= 194 and 2
    local raw = size and string.sub(needle, at, at + size - 1)
    if not raw or size > 1 and not string.find(raw, '^[\194-\244][\128-\191]+$') then return false end
    local n = #forms
    if size > 1 then
      letters = letters + 1
      local code = byte % 2 ^ (7 - size)
      for i = 2, size do code = code * 64 + string.byte(raw, i) % 64 end
      local escape = string.format('\\u%04x', code)
      if code >= 65536 then escape = string.format('\\u%04x\\u%04x', 55296 + math.floor((code - 65536) / 1024), 56320 + code % 1024) end
      for i = 1, n do forms[n + i] = { text = forms[i].text .. escape, letter = forms[i].letter } end
    end
    for i = 1, n do forms[i] = { text = forms[i].text .. raw, letter = size > 1 and raw or forms[i].letter } end
    at = at + size
  end
  all[needle] = forms
  return forms
end })
-- Whether the row has no spelling of the needle: only the escapes behind its beginning are read, where there are few of these.
local PLACES_READ = 8
local function is_absent(row, needle)
  local forms = SPELLINGS[needle]
  local ascii = string.find(row, '\\u00', 1, true)
  if not forms or ascii and string.find(row, '\\u00[0-7]', ascii) then return false end
  local low, places = string.lower(row), 0
  for i = 1, #forms do
    local form, letter = forms[i].text, forms[i].letter
    -- Mostly a row has no such letter as it is, which is seen at once.
    local at = (not letter or string.find(low, letter, 1, true)) and string.find(low, form, 1, true)
    for _ = 1, PLACES_READ do
      if not at then break end
      places = places + 1
      -- Of a letter an escape takes six bytes, and two escapes where it takes four itself.
      local text = string.gsub(string.sub(low, at, at + 6 * #needle - 1), '\\(.%x?%x?%x?%x?)', SHOWN)
      text = string.gsub(text, SURROGATES, pair)
      if string.sub(text, 1, #needle) == needle then return false end
      at = string.find(low, form, at + 1, true)
    end
    if at then return false end
  end
  cost.bytes = cost.bytes + #row + ESCAPE_BYTES * #needle * places
  return true
end
-- Whether an escape of the row may stand for a part of the needle: a look that spares most rows the reading of their escapes. No writer has
-- to escape other ASCII than quotes, backslashes, slashes and control characters.
local function is_spelled(row, needle)
  local at = string.find(row, BACKSLASH, 1, true)
  if not at or string.find(needle, '[%c"\\]') then return at end
  if string.find(needle, '[\127-\255]') and string.find(row, '\\u', at, true) then return not is_absent(row, needle) end
  if string.find(needle, '/', 1, true) and string.find(row, '\\/', at, true) then return at end
  at = string.find(row, '\\u00', at, true)
  return at and string.find(row, '\\u00[0-7]', at)
end
local function has(text, needle) return string.find(string.lower(text), needle, 1, true) ~= nil end
-- Whether a text in lower case may occur in a row once its escapes are read. True for what only Node can decide. Mirrors payloadTexts.
local function may_hold(row, needle)
  if not is_spelled(row, needle) then return false end
  local text, escapes = string.gsub(row, '\\(.%x?%x?%x?%x?)', SHOWN, ESCAPES_MAX)
  cost.bytes = cost.bytes + ESCAPE_BYTES * escapes + READ_BYTES * #row
  if escapes == ESCAPES_MAX then return true end
  if string.find(text, '\237', 1, true) then
    text = string.gsub(text, SURROGATES, pair)
    if string.find(text, '\237[\160-\191]') then return true end
  end
  if has(text, needle) then return true end
  if not string.find(text, BACKSLASH, 1, true) then return false end
  text = string.gsub(text, '\\(.%x?%x?%x?%x?)', READ)
  return has(text, needle)
end
return { may_hold = may_hold, cost = cost }
