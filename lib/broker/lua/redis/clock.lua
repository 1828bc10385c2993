-- The clock is Redis's, read once a script: TIME moves inside a script before Redis 7.2. Only tests pass a clock of their own.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local text = string.format('%d', now)
return { now = now, text = text }
