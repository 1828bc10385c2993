-- For how long the ids of jobs that left are known.
local function resend_window() return tonumber(redis.call('HGET', K_config, 'resendWindowMs') or 600000) end
