-- Texts that JSON spells with escapes: Python writes `ü` as \u00fc, PHP `/` as \/, Go `<` as \u003c.
-- A row with more escapes is left to Node. To read a byte or an escape costs as much as so many bytes of a row that is only looked at.
local needle_anchor = require('search.needle_anchor')
local ESCAPES_MAX, ESCAPE_BYTES, READ_BYTES = 4000, 16, 3
local BACKSLASH, BACKSLASHES = string.char(92), string.char(92, 92)
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
-- Whether an escape of the row may stand for a part of the needle: a look that spares most rows the reading of their escapes. No writer has
-- to escape other ASCII than quotes, backslashes, slashes and control characters.
local function is_spelled(row, needle)
  local at = string.find(row, BACKSLASH, 1, true)
  if not at or string.find(needle, '[%c"\\]') then return at end
  if string.find(needle, '[\127-\255]') and string.find(row, '\\u', at, true) then return at end
  if string.find(needle, '/', 1, true) and string.find(row, '\\/', at, true) then return at end
  at = string.find(row, '\\u00', at, true)
  return at and string.find(row, '\\u00[0-7]', at)
end
local function has(text, needle) return string.find(string.lower(text), needle, 1, true) ~= nil end
-- Reads the escapes of a row, or of a part of it.
local function may_read(part, needle)
  local text, escapes = string.gsub(part, '\\(.%x?%x?%x?%x?)', SHOWN, ESCAPES_MAX)
  cost.bytes = cost.bytes + ESCAPE_BYTES * escapes + READ_BYTES * #part
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
-- A letter of ASCII takes six bytes as an escape, and no other takes more for each of its bytes.
local ESCAPE_LENGTH = 6
-- Whether a text in lower case may occur in a row once its escapes are read. True for what only Node can decide. Mirrors payloadTexts.
local function may_hold(row, needle)
  if not string.find(row, BACKSLASH, 1, true) then return false end
  local places, anchor = needle_anchor.places_in(row, needle)
  if places and #places == 0 then return false end
  -- Of backslashes in a row, a part would not show which of them begins an escape.
  if not places or string.find(row, BACKSLASHES, 1, true) then return is_spelled(row, needle) and may_read(row, needle) or false end
  local before, after = ESCAPE_LENGTH * (anchor.last + 2), ESCAPE_LENGTH * (#needle - anchor.before + 2)
  for i = 1, #places do
    if may_read(string.sub(row, math.max(1, places[i] - before), places[i] + after), needle) then return true end
  end
  return false
end
return { may_hold = may_hold, cost = cost }
