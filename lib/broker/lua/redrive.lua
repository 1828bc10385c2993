-- Puts dead or suppressed jobs back to ready. A second call for the same job finds it gone from there and does nothing.
-- KEYS: jobs ready waiting attempts dead deadBy deaths suppressed history unique uniqueUntil fair limits config counters minutes events wake
-- ARGV: clock, json (who and why), cut-off (ms; 0 for none: a job that died later is left alone), then ids
-- REPLY: per job: 1 ready, 0 in another state, -1 no such job, -2 its deadline has passed, -3 its row is unreadable, -4 another job has its uniqueness key
--@include count
--@include emit
--@include wake
--@include attempts
--@include history
--@include bury
--@include ready
--@include redrive
local CODES = { ok = 1, state = 0, missing = -1, expired = -2, malformed = -3, taken = -4 }
local replies, moved = {}, {}
local cutoff = tonumber(ARGV[3])
for i = 4, #ARGV do
  local outcome = redrive_one(ARGV[i], ARGV[2], cutoff)
  if outcome == 'ok' then moved[#moved + 1] = ARGV[i] end
  replies[#replies + 1] = CODES[outcome]
end
if #moved > 0 then
  count('redriven', #moved)
  emit('redriven', moved)
  wake()
end
return replies
