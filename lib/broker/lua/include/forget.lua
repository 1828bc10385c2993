-- Deletes every row of jobs that are in no state any more, and enters them in the ledger. What is sent again for them is
-- recognised for a while. `left`: as remember_finished takes it; nil: all of them left just now, not completed.
--@include finished
--@include row
-- Larger rows are not read for it: then it is not known whose the job was.
local ROW_READ_MAX = 4096
local function tenant_by_row(id)
  if redis.call('HSTRLEN', K_jobs, id) > ROW_READ_MAX then return '?' end
  local _, _, _, _, tenant = header(redis.call('HGET', K_jobs, id) or '')
  return tenant or '?'
end
local function forget(ids, left)
  if not left then
    left = {}
    for i = 1, #ids do left[2 * i - 1], left[2 * i] = ids[i], trace_of('-', tenant_by_row(ids[i])) end
  end
  redis.call('HDEL', K_jobs, unpack(ids))
  redis.call('HDEL', K_results, unpack(ids))
  -- Most jobs never failed, and most queues have few that did.
  if redis.call('EXISTS', K_attempts, K_history, K_deaths) > 0 then
    redis.call('HDEL', K_attempts, unpack(ids))
    redis.call('HDEL', K_history, unpack(ids))
    redis.call('HDEL', K_deaths, unpack(ids))
  end
  count('deleted', #ids)
  remember_finished(left)
end
-- Of those that ended some time ago (`entries`: ids with the times they did): whoever sends them again is beyond the window.
local function left_lately(entries)
  local left, horizon = {}, now - resend_window()
  for i = 1, #entries, 2 do
    if tonumber(entries[i + 1]) > horizon then
      left[#left + 1] = entries[i]
      left[#left + 1] = trace_of('-', tenant_by_row(entries[i]))
    end
  end
  return left
end
-- What a completed job is booked with: its row and its result. results: "<token> <worker>[@<tenant>] <claimedAt> <attempt> <losses>
-- <redrives> <bytes> <result>", the beginning of its claims row, with the tenant where it is not the default one.
local function size_of(result)
  return (string.match(result, '^%S+ %S+ %d+ %d+ %d+ %d+ (%d+) ') or 0) + #result
end
-- The same for completed jobs, whose size is on the books. `entries`: ids with their scores, as the index gives them.
local function forget_completed(entries)
  local ids, bytes = {}, 0
  for i = 1, #entries, 2 do ids[#ids + 1] = entries[i] end
  if #ids == 0 then return 0 end
  local rows, left, horizon = redis.call('HMGET', K_results, unpack(ids)), {}, now - resend_window()
  for i = 1, #rows do
    if rows[i] then bytes = bytes + size_of(rows[i]) end
    if tonumber(entries[2 * i]) > horizon then
      local token, worker = string.match(rows[i] or '', '^(%S+) (%S+) ')
      left[#left + 1] = ids[i]
      left[#left + 1] = token and trace_of(token_end(token), string.match(worker, '@(.+)$') or 'default') or trace_of('-')
    end
  end
  redis.call('HINCRBY', K_counters, 'completedBytes', -bytes)
  forget(ids, left)
  emit('trimmed', ids)
  return #ids
end
