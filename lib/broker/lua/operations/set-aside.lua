-- Suppresses dead jobs, or takes dead and suppressed ones to the trash. Their deaths stay on record for a way back, each with the
-- operation that did this, if one did.
-- KEYS: ready dead deadBy deaths deadCounts suppressed trash history events changes audit operations jobs
-- ARGV: of a chunk (chunk.lua) or of named jobs (selection.lua)
-- REPLY: of a chunk; or per named job: 1 moved, 0 in another state
local clock = require('redis.clock')
local death_index = require('dead.death_index')
local death_row = require('rows.death_row')
local history_log = require('rows.history_log')
local keys = require('keys')
local queue = require('queue')
local selection = require('operations.selection')
local isSuppress = (ARGV[2] == '' and ARGV[4] or ARGV[8]) == 'suppress'
local jobs = selection.open(isSuppress and { 'dead', keys.dead } or { 'dead', keys.dead, 'suppressed', keys.suppressed })
if not jobs then return queue.commit(selection.refused()) end
local ids, event, target = jobs.ids, isSuppress and 'suppressed' or 'purged', isSuppress and keys.suppressed or keys.trash
if #ids > 0 then
  local deaths, op = death_index.read_all(ids), jobs.op or '-'
  death_index.remove_all(ids, deaths, jobs.isDead)
  if not jobs.isDead then redis.call('ZREM', keys.suppressed, unpack(ids)) end
  local scores, rows, n = {}, {}, 0
  for i = 1, #ids do
    local death = deaths[i]
    scores[2 * i - 1], scores[2 * i] = clock.text, ids[i]
    if death and death.operation ~= op then
      death.operation = op
      rows[n + 1], rows[n + 2] = ids[i], death_row.format(death)
      n = n + 2
    end
  end
  redis.call('ZADD', target, unpack(scores))
  if n > 0 then redis.call('HSET', keys.deaths, unpack(rows)) end
  history_log.add_all(ids, jobs.logs, history_log.format(event, 0, 0, '-', '-', '-', jobs.by))
end
return queue.commit(selection.finish(jobs, event, ids))
