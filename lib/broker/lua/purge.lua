-- Moves dead or suppressed jobs to the trash, from where they can be restored until their grace ends.
-- KEYS: jobs dead deadBy deaths suppressed trash history events
-- ARGV: clock, json (who and why), cut-off (ms; 0 for none: a job that died later is left alone), then ids
-- REPLY: per job: 1 trashed, 0 in another state
--@include now
--@include emit
--@include history
--@include bury
--@include shelve
local replies, moved = {}, {}
local cutoff = tonumber(ARGV[3])
for i = 4, #ARGV do
  local ok = shelve_one(ARGV[i], K_trash, 'purged', ARGV[2], cutoff) == 'ok'
  if ok then moved[#moved + 1] = ARGV[i] end
  replies[#replies + 1] = ok and 1 or 0
end
-- Suppressed jobs can be purged too.
if #moved > 0 then emit('purged', moved) end
return replies
