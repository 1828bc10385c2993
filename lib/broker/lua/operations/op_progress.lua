-- The progress of an operation in this shard.
-- operations: op -> "<status> <scanned> <moved> <skipped> <batch> <skips> <cursor>". Status: running, done or stopped. Batch: how
-- many times jobs went on their way to another queue (transfer.lua). Skips: "<reason>=<n>,…" or "-". Cursor: all up to it is dealt
-- with; what it says is the walk's business.
-- operations: "<op> skipped" -> "<id>=<reason> …": which jobs were left alone, the first 100 of them here.
local audit_event = require('audit.audit_event')
local change_log = require('queues.change_log')
local keys = require('keys')
audit_event.open(keys.audit)
local state = { status = 'running', scanned = 0, moved = 0, skipped = 0, batch = 0, skips = {}, cursor = '', before = 0, named = 0, left = {} }
local NAMED_MAX = 100
local function read()
  local status, scanned, moved, skipped, batch, skips, cursor =
    string.match(redis.call('HGET', keys.operations, ARGV[2]) or '', '^(%S+) (%d+) (%d+) (%d+) (%d+) (%S+) ?(.*)$')
  if not status then return end
  state.status, state.cursor = status, cursor
  state.scanned, state.moved, state.skipped, state.batch = tonumber(scanned), tonumber(moved), tonumber(skipped), tonumber(batch)
  state.before = state.moved + state.skipped
  state.named = state.skipped
  for reason, n in string.gmatch(skips, '([%a-]+)=(%d+)') do state.skips[reason] = tonumber(n) end
end
local function skips_text()
  local parts = {}
  for reason, n in pairs(state.skips) do parts[#parts + 1] = reason .. '=' .. string.format('%.0f', n) end
  table.sort(parts)
  return #parts > 0 and table.concat(parts, ',') or '-'
end
local function save()
  redis.call('HSET', keys.operations, ARGV[2], state.status .. ' ' .. string.format('%.0f %.0f %.0f %.0f ', state.scanned,
    state.moved, state.skipped, state.batch) .. skips_text() .. ' ' .. state.cursor)
  if #state.left > 0 then
    local field = ARGV[2] .. ' skipped'
    local told = redis.call('HGET', keys.operations, field)
    redis.call('HSET', keys.operations, field, (told and told .. ' ' or '') .. table.concat(state.left, ' '))
    state.left = {}
  end
end
local function skip(reason, id)
  if state.named < NAMED_MAX then
    state.named = state.named + 1
    state.left[#state.left + 1] = id .. '=' .. reason
  end
  state.skips[reason] = (state.skips[reason] or 0) + 1
  state.skipped = state.skipped + 1
end
-- What the queue's record of changes has of it: that it began, unless it also ended with that, and how it ended, which the audit log
-- has, too. Of a queue where it found nothing it says nothing. `set`: what it is about, in words.
local function record(json, kind, set)
  local done = state.moved + state.skipped
  if done == 0 then return end
  local what = kind .. ' ' .. ARGV[2] .. (set or '')
  if state.status ~= 'running' then
    local how = (state.status == 'done' and 'ended' or 'stopped')
      .. string.format(': %.0f moved, %.0f left alone', state.moved, state.skipped)
    change_log.add('operation', json, what, how)
    audit_event.add(keys.audit, 'operation.end', json, { kind = 'operation', id = ARGV[2], filter = what, after = how, count = state.moved })
  elseif state.before == 0 then
    change_log.add('operation', json, what, 'began')
  end
end
local function reply(applied, taken)
  return { applied and 1 or 0, state.status, state.scanned, state.moved, state.skipped, skips_text(), state.cursor,
    redis.call('ZCARD', keys.ready), taken }
end
return { state = state, read = read, save = save, skip = skip, record = record, reply = reply }
