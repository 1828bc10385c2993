-- One step of a search: looks at the next entries of a state's index, in order, and judges each. It only reads.
-- KEYS: index jobs waiting claims attempts history deaths results deadBy redriven outcomes
-- ARGV: clock, state, order (newest|oldest), lowest score (or -inf), highest score (or +inf), cursor score ('' at the start), cursor id, most entries (1..500), bytes of rows after which it ends, most matches (0: only count them), sources (the smallest is used; see sources.lua), 1 when a program follows (else everything fits), reads (see facts.lua), 1 to count the source, what must occur in a match's rows ('' for nothing known) and how: `text` (anywhere, whatever the case of A-Z) or `row`, 1 when nothing can be judged without rows, a part of such a text without letters ('' for none), words that must occur in a match's row of deaths (a line each), then the program (see matcher.lua)
-- REPLY: cursor score, cursor id ('' when nothing was looked at), 1 at the end, looked at, matches that are sure, parts of the source used, entries it holds (-1: not counted), then per match (only those that are not sure, when counting): id, score, claim token, deaths row or error class, 1 sure or 0 not, looked at up to it
local facts = require('search.facts')
local matcher = require('search.matcher')
local sources = require('search.sources')
local most, most_bytes, want = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local choices, program = sources.parse(ARGV[11]), ARGV[12] == '1' and matcher.program(20)
local required, folded, blind, part = ARGV[15], ARGV[16] == 'text', ARGV[17] == '1', ARGV[18]
local heavy = facts.needs('r') or facts.needs('h') or facts.needs('o')
local source, size
if #choices == 1 and ARGV[14] ~= '1' then source, size = sources.expand(choices[1]), -1 else source, size = sources.choose(choices) end
local ids, scores, ended = sources.next(source, most)
-- Facts and verdicts of some entries; nil: Node decides.
local function look_at(some, at)
  local known, verdicts, left = {}, {}, {}
  for i = 1, #some do left[i] = i end
  local function of_left(list)
    if #left == #some then return list end
    local those = {}
    for n = 1, #left do those[n] = list[left[n]] end
    return those
  end
  local function drop_impossible()
    local possible, still = facts.where_it_occurs(of_left(some), required, folded, part), {}
    for n = 1, #left do
      if possible[n] then still[#still + 1] = left[n] else verdicts[left[n]] = false end
    end
    left = still
  end
  if required ~= '' and blind then drop_impossible() end
  if #left == 0 then return known, verdicts end
  local first, open = facts.first_look(of_left(some), of_left(at)), {}
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
local reply, looked, matched, full = { '', '', 0, 0, 0, source, size }, 0, 0, false
for _ = 1, #ids do
  if looked == #ids or full or facts.cost.bytes + matcher.cost.bytes >= most_bytes then break end
  -- No more than it takes where most of them fit. Rows may be large, and how large is only seen when they are read.
  local each = not heavy and (want > 0 and math.min(250, math.max(100, 2 * want)) or most) or looked == 0 and 4 or math.max(1, math.min(50, math.floor(65536 * looked / (facts.cost.bytes + matcher.cost.bytes + 1))))
  local some, at = ids, scores
  if looked > 0 or each < #ids then
    some, at = {}, {}
    for i = looked + 1, math.min(#ids, looked + each) do
      some[#some + 1] = ids[i]
      at[#at + 1] = scores[i]
    end
  end
  local known, verdicts = look_at(some, at)
  for i = 1, #some do
    looked = looked + 1
    local sure, f = verdicts[i], known[i]
    if sure then matched = matched + 1 end
    if sure == nil or sure and want > 0 then
      reply[#reply + 1] = f.id
      reply[#reply + 1] = f.score
      reply[#reply + 1] = f.token or ''
      reply[#reply + 1] = f.death or f.class or ''
      reply[#reply + 1] = sure and 1 or 0
      reply[#reply + 1] = looked
      if want > 0 and (#reply - 7) / 6 >= want then
        full = true
        break
      end
    end
  end
end
if looked > 0 then reply[1], reply[2] = scores[looked], ids[looked] end
reply[3] = ended and looked == #ids and 1 or 0
reply[4], reply[5] = looked, matched
return reply
