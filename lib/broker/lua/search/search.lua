-- One step of a search: looks at the next entries of a state's index, in order, and judges each. It only reads.
-- KEYS: index jobs waiting claims attempts history deaths results deadBy redriven outcomes
-- ARGV: clock, state, order (newest|oldest), lowest score (or -inf), highest score (or +inf), cursor score ('' at the start), cursor id, most entries (1..1000), bytes of rows after which it ends, most matches (0: only count them), sources (the smallest is used; see sources.lua), 1 when a program follows (else everything fits), reads (see facts.lua), '' not to count the source; else how many entries make it large: then only few of them are looked at, as the caller may know a smaller one, what must occur in a match's rows ('' for nothing known) and how: `text` (anywhere, whatever the case of A-Z) or `row`, 1 when nothing can be judged without rows, words that must occur in a match's row of deaths (a line each), most entries that may be judged (a third of the others count), then the program (see matcher.lua)
-- REPLY: cursor score, cursor id ('' when nothing was looked at), 1 at the end, looked at, matches that are sure, parts of the source used, entries it holds (-1: not counted), then per match (only those that are not sure, when counting): id, score, claim token, deaths row or error class, 1 sure or 0 not, looked at up to it
local bounded = require('redis.bounded')
local facts = require('search.facts')
local json_escapes = require('search.json_escapes')
local matcher = require('search.matcher')
local sources = require('search.sources')
local most, most_bytes, want, most_judged = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[19])
local choices, program = sources.parse(ARGV[11]), ARGV[12] == '1' and matcher.program(20)
local required, folded, blind = ARGV[15], ARGV[16] == 'text', ARGV[17] == '1'
local heavy = facts.needs('r') or facts.needs('h') or facts.needs('o')
local source, size
if #choices == 1 and ARGV[14] == '' then source, size = sources.expand(choices[1]), -1 else source, size = sources.choose(choices) end
-- Every row in a range of one value has that value.
local is_one_range = sources.is_one_range(source)
for i = 1, is_one_range and #source or 0 do
  local value = string.match(source[i], '^&?%a+=(.+)$')
  facts.leave_out_word(' ' .. value .. ' ')
  facts.leave_out_word(' ' .. value)
end
-- Facts and verdicts of some entries; nil: Node decides.
local function look_at(some, score_of)
  local known, verdicts, left = {}, {}, {}
  for i = 1, #some do left[i] = i end
  local function of_left(list)
    if #left == #some then return list end
    local those = {}
    for n = 1, #left do those[n] = list[left[n]] end
    return those
  end
  local function drop_impossible()
    local possible, still = facts.where_it_occurs(of_left(some), required, folded), {}
    for n = 1, #left do
      if possible[n] then still[#still + 1] = left[n] else verdicts[left[n]] = false end
    end
    left = still
  end
  if required ~= '' and blind then drop_impossible() end
  if #left == 0 then return known, verdicts end
  local first, open = facts.first_look(of_left(some), function(n) return score_of(left[n]) end), {}
  for n = 1, #left do
    local i = left[n]
    known[i] = first[n]
    if not first[n] then verdicts[i] = false elseif program then verdicts[i] = matcher.matches(program, first[n]) else verdicts[i] = true end
    if verdicts[i] == nil then open[#open + 1] = i end
  end
  left = open
  if required ~= '' and not blind and #left > 0 then drop_impossible() end
  if not heavy or #left == 0 then return known, verdicts end
  facts.second_look(of_left(known))
  for n = 1, #left do verdicts[left[n]] = matcher.matches(program, known[left[n]]) end
  return known, verdicts
end
local reply, looked, judged, matched, full, ended = { '', '', 0, 0, 0, source, size }, 0, 0, 0, false, false
local function cost_so_far() return facts.cost.bytes + matcher.cost.bytes + json_escapes.cost.bytes end
local function is_costly() return cost_so_far() >= most_bytes end
-- A longer id is none of Redrive's. As a cursor its beginning stands for it, with a letter behind that sorts after all others.
local ID_MAX_BYTES = 512
local function cursor_of(id) return #id <= ID_MAX_BYTES and id or string.sub(id, 1, 200) .. '\239\191\191' end
local function take(f, sure, upto)
  if sure then matched = matched + 1 end
  if sure == false or sure and want == 0 or #f.id > ID_MAX_BYTES then return end
  local n = #reply
  reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4], reply[n + 5], reply[n + 6] =
    f.id, f.score, bounded.text(f.token, 4096), bounded.text(f.death or f.class, 4096), sure and 1 or 0, upto
  full = want > 0 and (n - 1) / 6 >= want
end
-- The facts of the entries at these positions.
local function first_look_at(some, ids, score_of)
  local those, known = {}, {}
  for k = 1, #some do those[k] = ids[some[k]] end
  local found = #those > 0 and facts.first_look(those, function(k) return score_of(some[k]) end) or {}
  for k = 1, #some do known[some[k]] = found[k] end
  return known
end
-- Entries that small rows decide. How many of them were looked at. some: the positions of those that may match (nil: all may)
local function look_light(ids, score_of, some)
  local known = some and first_look_at(some, ids, score_of) or facts.first_look(ids, score_of)
  for i = 1, #ids do
    local f = known[i]
    if f then
      judged = judged + 1
      take(f, not program or matcher.matches(program, f), looked + i)
      if full then return i end
    end
  end
  return #ids
end
-- Rows may be large, and only reading them shows their size: a few at first, then as many as fit into the bytes left.
local function look_heavy(ids, score_of)
  local at = 0
  for _ = 1, #ids do
    if at == #ids or full or is_costly() then break end
    local done = looked + at
    local each = done == 0 and 4 or math.max(1, math.min(50, math.floor(65536 * done / (cost_so_far() + 1))))
    local upto = math.min(#ids, at + each)
    local known, verdicts = look_at({ unpack(ids, at + 1, upto) }, function(i) return score_of(at + i) end)
    for i = 1, upto - at do
      take(known[i], verdicts[i], done + i)
      if full then
        upto = at + i
        break
      end
    end
    at = upto
  end
  return at
end
-- To merge an entry of several ranges costs as much as to match it.
if #source > 1 and not is_one_range then most = math.min(most, 250) end
-- Where only few entries are wanted, most may fit: no more of them are read at first than that takes.
local each = not heavy and want > 0 and math.max(100, 2 * want) or most
if size > (tonumber(ARGV[14]) or size) and want > 0 and program then most = math.min(most, 2 * want) end
-- How many more may be judged. Rows have a limit of their own, in bytes.
local function room() return heavy and most or most_judged - (looked + 2 * judged) / 3 end
for _ = 1, most do
  local ids, score_of, atEnd, some = sources.next(source, math.min(each, most - looked, math.ceil(room())))
  local done = 0
  if #ids > 0 then done = heavy and look_heavy(ids, score_of) or look_light(ids, score_of, some) end
  looked = looked + done
  if done > 0 then
    reply[1], reply[2] = score_of(done), cursor_of(ids[done])
    sources.go_on(reply[1], reply[2])
  end
  ended = atEnd and done == #ids
  -- The last few are not worth a look of their own.
  if ended or full or looked >= most or room() < 25 or is_costly() then break end
  each = 250
end
reply[3] = ended and 1 or 0
reply[4], reply[5] = looked, matched
return reply
