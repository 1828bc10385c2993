-- One event for many jobs: ids and states only, never payloads; at most 20 ids are named, `n` is exact.
local keys = require('keys')
local function emit(event, ids, worker)
  redis.call('XADD', keys.events, 'MAXLEN', '~', 1000, '*', 'e', event, 'n', #ids,
    'ids', table.concat(ids, ',', 1, math.min(#ids, 20)), 'w', worker or '')
end
return { emit = emit }
