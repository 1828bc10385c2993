-- How long the ids of jobs that left are remembered.
local function resend_window() return tonumber(redis.call('HGET', K_config, 'resendWindowMs') or 600000) end
