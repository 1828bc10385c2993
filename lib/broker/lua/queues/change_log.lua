-- A change by a person, entered in the queue's own record of changes by the script that makes it: both happen or neither.
-- `by` is the JSON note of who and why.
-- Looked at before anything is written: what cannot be recorded (a key of another type) ends the script here, and is not done.
local clock = require('redis.clock')
local keys = require('keys')
redis.call('XLEN', keys.changes)
local function add(what, by, before, after)
  redis.call('XADD', keys.changes, '*', 'at', string.format('%.0f', clock.now), 'what', what, 'by', by, 'before', before or '', 'after', after or '')
  if redis.call('XLEN', keys.changes) < 1200 then return end
  local change_shares = require('maintenance.change_shares')
  change_shares.trim(keys.changes)
end
return { add = add }
