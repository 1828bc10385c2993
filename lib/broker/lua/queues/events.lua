-- One event for many jobs: ids and states only, never payloads; at most 20 ids are named, `n` is exact.
local keys = require('keys')
local function emit(event, ids, worker)
  local n = #ids
  redis.call('XADD', keys.events, 'MAXLEN', '~', '1000', '*', 'e', event, 'n', n == 1 and '1' or n,
    'ids', n == 1 and ids[1] or table.concat(ids, ',', 1, math.min(n, 20)), 'w', worker or '')
end
return { emit = emit }
