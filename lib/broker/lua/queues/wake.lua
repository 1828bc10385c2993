-- One token wakes one idle worker; the woken worker's claim puts it back while work is left.
local keys = require('keys')
local wanted = false
local function wake()
  wanted = true
end
local function commit()
  if wanted and redis.call('ZCARD', keys.ready) > 0 then redis.call('ZADD', keys.wake, '0', '1') end
end
return { wake = wake, commit = commit }
