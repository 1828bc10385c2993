-- The settings that completing and claiming look at, read once.
local settings = redis.call('HMGET', K_config, 'completedKeep', 'completedKeepMs', 'completedKeepBytes', 'tenantLimits', 'concurrency', 'rate', 'fair')
local settings_of_history = { settings[1], settings[2], settings[3] }
local settings_of_limits = { settings[4], settings[5] }
