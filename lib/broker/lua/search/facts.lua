-- The facts of jobs, for matcher.lua. The row in `deaths` has almost all facts of a dead job. Other jobs, payloads and messages need
-- larger rows: as few as possible are read. Rows are parsed when a query first asks for one of their fields.
-- reads: a letter for each column that is needed: k deaths, c claims, w waiting, a attempts, o results, d driven; and r jobs,
-- h history, which are read only for what could not be judged without; g: the failure group is wanted, too.
local death_row = require('rows.death_row')
local group_name = require('dead.group_name')
local job_row = require('rows.job_row')
local json_escapes = require('search.json_escapes')
local keys = require('keys')
local needle_anchor = require('search.needle_anchor')
local state, reads = ARGV[2], ARGV[13]
local died = state == 'dead' or state == 'suppressed' or state == 'trashed'
-- What the search read so far, in bytes.
local cost = { bytes = 0 }
local function needs(letter) return string.find(reads, letter, 1, true) ~= nil end
local function rows_of(key, ids)
  if #ids == 0 then return {} end
  local rows = redis.call('HMGET', key, unpack(ids))
  for i = 1, #rows do
    if rows[i] then cost.bytes = cost.bytes + #rows[i] end
  end
  return rows
end
local function of_death(f, field)
  f.death = rawget(f, 'death') or redis.call('HGET', keys.deaths, f.id) or ''
  local how = death_row.FIELDS[field]
  local value = string.match(f.death, how[1]) or how[2]
  if field == 'operation' and value == '-' then value = false end
  f[field] = value
  return value
end
local function facts_of_head(f)
  local priority, _, _, jobType, tenant, _, version = job_row.parse(f.row or '')
  f.priority, f.type, f.version, f.tenant = priority or '0', jobType or 'unknown', version or '0', tenant or 'unknown'
end
-- Where its parts are: the line of JSON, and the payload behind it.
local function parts_of_row(f)
  local first = f.row and string.find(f.row, '\n', 1, true)
  local second = first and string.find(f.row, '\n', first + 1, true)
  f.payload = second and second + 1 or 1
  f.rest = second and string.sub(f.row, first + 1, second - 1) or ''
end
local function created_at(f)
  f.entered = tonumber(string.match(f.rest, '^{"at":(%d+)') or 0)
end
-- A string of JSON, from where it begins, as it stands there.
local function json_text(json, from)
  local at = from
  for _ = from, #json do
    at = string.find(json, '["\\]', at)
    if not at or string.byte(json, at) == 34 then break end
    at = at + 2
  end
  return string.sub(json, from, (at or #json + 1) - 1)
end
-- Where its lines begin. Not by a pattern: those are slow in long texts.
local function starts_of_lines(log)
  local starts, at = { 1 }, 1
  for _ = 1, #log do
    at = string.find(log, '\n', at, true)
    if not at then break end
    at = at + 1
    starts[#starts + 1] = at
  end
  return starts
end
-- The last error: of a dead job the last entry that has one, of others the last entry.
local function facts_of_log(f)
  local log = f.log or ''
  local starts, at, class, code, from = starts_of_lines(log), nil, nil, nil, nil
  for i = #starts, 1, -1 do
    at, class, code, from = string.match(log, '^(%d+) %S+ %d+ %d+ %S+ (%S+) (%S+) ()', starts[i])
    if not died or class and class ~= '-' then
      log = string.sub(log, from or 1, (starts[i + 1] or #log + 2) - 2)
      break
    end
    class = nil
  end
  if not class then log = '' end
  if not died then
    f.class, f.code = class and class ~= '-' and class or false, code and code ~= '-' and code or false
    -- Which group it would fall into, were it to die of this.
    f.group = f.class and needs('g') and group_name.of(f.type, f.class, f.code or '-', group_name.fingerprint(log)) or false
    if state == 'retry' then f.entered = tonumber(at or f.score) end
  end
  f.message = false
  local _, last = string.find(log, '"message":"', 1, true)
  if not last then _, last = string.find(log, '"reason":"', 1, true) end
  if last then f.message = json_text(log, last + 1) end
end
-- Field -> what finds it out, of a row that is there.
local FROM_ROW = { payload = parts_of_row, rest = parts_of_row, message = facts_of_log }
if not died then
  for _, field in ipairs({ 'type', 'version', 'tenant', 'priority' }) do FROM_ROW[field] = facts_of_head end
  for _, field in ipairs({ 'class', 'code', 'group' }) do FROM_ROW[field] = facts_of_log end
end
if state == 'retry' then FROM_ROW.entered = facts_of_log end
if state == 'scheduled' or state == 'held' then FROM_ROW.entered = created_at end
local by_score = died or state == 'completed'
local LATE = { __index = function(f, field)
  if field == 'entered' and by_score then return tonumber(f.score) end
  if died and death_row.FIELDS[field] then return of_death(f, field) end
  local find_out = rawget(f, 'looked') and FROM_ROW[field]
  if not find_out then return nil end
  find_out(f)
  return rawget(f, field)
end }
-- Most jobs that do not match lack a word in their row of deaths.
local words = {}
for word in string.gmatch(ARGV[18], '[^\n]+') do words[#words + 1] = word end
-- Nothing is gained from one that every entry of the source has.
local function leave_out_word(word)
  for i = #words, 1, -1 do
    if words[i] == word then table.remove(words, i) end
  end
end
local function lacks_word(row, from)
  for i = from, #words do
    if not string.find(row, words[i], 1, true) then return true end
  end
  return false
end
-- What the columns of a state tell that is not about deaths.
local function add_facts(facts, ids)
  local claims = needs('c') and redis.call('HMGET', keys.claims, unpack(ids))
  local attempts = needs('a') and redis.call('HMGET', keys.attempts, unpack(ids))
  local results = needs('o') and rows_of(keys.results, ids)
  local driven = needs('d') and redis.call('HMGET', keys.redriven, unpack(ids))
  local waiting = needs('w')
  for i = 1, #ids do
    local f = facts[i]
    if claims then
      local token, claimedAt, attempt = string.match(claims[i] or '', '^(%S+) %S+ (%d+) (%d+) ')
      f.token, f.entered, f.attempts = token or false, tonumber(claimedAt) or tonumber(f.score), attempt or '0'
    end
    if attempts then f.attempts = string.match(attempts[i] or '', '^(%d+) ') or '0' end
    if results then f.attempts = string.match(results[i] or '', '^%S+ %S+ %d+ (%d+) ') or '0' end
    if driven then f.operation = driven[i] and string.match(driven[i], '^%S+') or false end
    if waiting then f.entered = tonumber(redis.call('ZSCORE', keys.waiting, ids[i]) or 0) end
    if state == 'completed' then f.class, f.code, f.group, f.message = false, false, false, false end
  end
end
-- The first look reads small rows. False: cannot match.
local function first_look(ids, score_of)
  local facts, find = {}, string.find
  local deaths = needs('k') and redis.call('HMGET', keys.deaths, unpack(ids))
  local word, has_more = words[1], #words > 1
  for i = 1, #ids do
    local row = deaths and deaths[i]
    -- A row that is lost or unreadable says nothing, and is judged as such.
    if row and word and (not find(row, word, 1, true) or has_more and lacks_word(row, 2)) then
      facts[i] = false
    else
      -- Room for what is to come, made at once.
      facts[i] = setmetatable({ id = ids[i], score = score_of(i), death = deaths and (row or '') or nil, entered = nil, looked = nil, row = nil, log = nil, all = nil }, LATE)
    end
  end
  if not died then add_facts(facts, ids) end
  return facts
end
-- The second look, for those the first did not decide.
local function second_look(facts)
  local ids = {}
  for i = 1, #facts do ids[i] = facts[i].id end
  local rows, logs = needs('r') and rows_of(keys.jobs, ids), needs('h') and rows_of(keys.history, ids)
  for i = 1, #facts do
    local f = facts[i]
    f.looked = true
    f.row, f.log = rows and rows[i] or false, logs and logs[i] or false
  end
end
-- A quick look at unparsed rows for a text that every match has: `needle` (see compile-query.ts). The program then decides about the others.
local function occurs_as_stored(id, row, log, needle)
  if needle_anchor.is_in(row, needle) or needle_anchor.is_in(id, needle) then return true end
  if not log or not needle_anchor.may_be_in(log, needle) then return false end
  -- The message stands before its stack.
  local starts = starts_of_lines(log)
  local start = starts[#starts]
  local message = string.find(log, '"message":"', start, true)
  if not message then return true end
  local stack = string.find(log, '","stack":"', message, true) or #log
  return string.find(string.lower(string.sub(log, start, stack)), needle, 1, true)
end
local function occurs(id, row, log, needle, folded)
  if not folded then return row and string.find(row, needle, 1, true) end
  if not row or not log and state ~= 'completed' then return true end
  return occurs_as_stored(id, row, log, needle) or json_escapes.may_hold(row, needle)
end
-- For each job, whether the text occurs.
local function where_it_occurs(ids, needle, folded)
  local rows, logs, found = rows_of(keys.jobs, ids), folded and needs('h') and rows_of(keys.history, ids), {}
  for i = 1, #ids do
    found[i] = occurs(ids[i], rows[i], logs and logs[i], needle, folded) and true or false
  end
  return found
end
return { needs = needs, cost = cost, leave_out_word = leave_out_word, first_look = first_look, second_look = second_look, where_it_occurs = where_it_occurs }
