-- Brings trashed or suppressed jobs back to the dead-letter queue, as of when they died.
-- KEYS: jobs ready attempts dead deadBy deaths deadCounts suppressed trash history events changes audit operations
-- ARGV: of a chunk (chunk.lua) or of named jobs (selection.lua)
-- REPLY: of a chunk; or per named job: 1 restored, 0 in another state
local death_index = require('dead.death_index')
local history_log = require('rows.history_log')
local keys = require('keys')
local queue = require('queue')
local selection = require('operations.selection')
local jobs = selection.open({ 'trashed', keys.trash, 'suppressed', keys.suppressed })
if not jobs then return queue.commit(selection.refused()) end
local ids = jobs.ids
if #ids > 0 then
  local deaths = death_index.read_all(ids)
  for i = 1, #ids do
    deaths[i] = deaths[i] or death_index.from_history(ids[i], queue.now)
    deaths[i].operation = jobs.op or '-'
  end
  if jobs.state ~= 'suppressed' then redis.call('ZREM', keys.trash, unpack(ids)) end
  if jobs.state ~= 'trashed' then redis.call('ZREM', keys.suppressed, unpack(ids)) end
  death_index.add_all(ids, deaths)
  history_log.add_all(ids, jobs.logs, history_log.format('restored', 0, 0, '-', '-', '-', jobs.by))
end
return queue.commit(selection.finish(jobs, 'restored', ids))
