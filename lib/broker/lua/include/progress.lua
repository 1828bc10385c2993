-- How far an operation is in this place.
-- operations: op -> "<status> <scanned> <moved> <skipped> <batch> <skips> <cursor>". Status: running, done or stopped. Batch: how
-- many times jobs went on their way to another queue (outbox.lua). Skips: "<reason>=<n>,…" or "-". Cursor: all up to it is dealt
-- with; what it says is the walk's business.
-- operations: "<op> skipped" -> "<id>=<reason> …": which jobs were left alone, the first 100 of them here.
--@include now
--@include record
local progress = { status = 'running', scanned = 0, moved = 0, skipped = 0, batch = 0, skips = {}, cursor = '', before = 0, named = 0, left = {} }
local NAMED_MAX = 100
local function load_progress()
  local status, scanned, moved, skipped, batch, skips, cursor =
    string.match(redis.call('HGET', K_operations, ARGV[2]) or '', '^(%S+) (%d+) (%d+) (%d+) (%d+) (%S+) ?(.*)$')
  if not status then return end
  progress.status, progress.cursor = status, cursor
  progress.scanned, progress.moved, progress.skipped, progress.batch = tonumber(scanned), tonumber(moved), tonumber(skipped), tonumber(batch)
  progress.before = progress.moved + progress.skipped
  progress.named = progress.skipped
  for reason, n in string.gmatch(skips, '([%a-]+)=(%d+)') do progress.skips[reason] = tonumber(n) end
end
local function skips_text()
  local parts = {}
  for reason, n in pairs(progress.skips) do parts[#parts + 1] = reason .. '=' .. string.format('%.0f', n) end
  table.sort(parts)
  return #parts > 0 and table.concat(parts, ',') or '-'
end
local function save_progress()
  redis.call('HSET', K_operations, ARGV[2], progress.status .. ' ' .. string.format('%.0f %.0f %.0f %.0f ', progress.scanned,
    progress.moved, progress.skipped, progress.batch) .. skips_text() .. ' ' .. progress.cursor)
  if #progress.left > 0 then
    local field = ARGV[2] .. ' skipped'
    local told = redis.call('HGET', K_operations, field)
    redis.call('HSET', K_operations, field, (told and told .. ' ' or '') .. table.concat(progress.left, ' '))
    progress.left = {}
  end
end
local function skip(reason, id)
  if progress.named < NAMED_MAX then
    progress.named = progress.named + 1
    progress.left[#progress.left + 1] = id .. '=' .. reason
  end
  progress.skips[reason] = (progress.skips[reason] or 0) + 1
  progress.skipped = progress.skipped + 1
end
-- What the queue's record of changes has of it: that it began, unless it also ended with that, and how it ended, which the audit log
-- has, too. Of a queue where it found nothing it says nothing. `set`: what it is about, in words.
local function enter(json, kind, set)
  local done = progress.moved + progress.skipped
  if done == 0 then return end
  local what = kind .. ' ' .. ARGV[2] .. (set or '')
  if progress.status ~= 'running' then
    local how = (progress.status == 'done' and 'ended' or 'stopped')
      .. string.format(': %.0f moved, %.0f left alone', progress.moved, progress.skipped)
    enter_change('operation', json, what, how)
    audit(K_audit, 'operation.end', json, { kind = 'operation', id = ARGV[2], filter = what, after = how, count = progress.moved })
  elseif progress.before == 0 then
    enter_change('operation', json, what, 'began')
  end
end
local function progress_reply(applied, taken)
  return { applied and 1 or 0, progress.status, progress.scanned, progress.moved, progress.skipped, skips_text(), progress.cursor,
    redis.call('ZCARD', K_ready), taken }
end
