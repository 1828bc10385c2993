-- The settings that completing and claiming look at, read once a script.
local keys = require('keys')
local completedKeep, completedKeepMs, completedKeepBytes, tenantLimits, concurrency, rate, fair = unpack(redis.call('HMGET', keys.config,
  'completedKeep', 'completedKeepMs', 'completedKeepBytes', 'tenantLimits', 'concurrency', 'rate', 'fair'))
return { completedKeep = completedKeep, completedKeepMs = completedKeepMs, completedKeepBytes = completedKeepBytes,
  tenantLimits = tenantLimits, concurrency = concurrency, rate = rate, fair = fair }
