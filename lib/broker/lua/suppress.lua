-- Sets dead jobs aside as knowingly ignored.
-- KEYS: jobs dead deadBy deaths suppressed history events
-- ARGV: clock, json (who and why), cut-off (ms; 0 for none: a job that died later is left alone), then ids
-- REPLY: per job: 1 suppressed, 0 in another state
--@include now
--@include emit
--@include history
--@include bury
--@include shelve
local replies, moved = {}, {}
local cutoff = tonumber(ARGV[3])
for i = 4, #ARGV do
  local ok = shelve_one(ARGV[i], K_suppressed, 'suppressed', ARGV[2], cutoff) == 'ok'
  if ok then moved[#moved + 1] = ARGV[i] end
  replies[#replies + 1] = ok and 1 or 0
end
if #moved > 0 then emit('suppressed', moved) end
return replies
