-- Makes scheduled or retrying jobs ready now, because a person said so.
-- KEYS: jobs ready waiting scheduled retry history fair limits config counters events wake
-- ARGV: clock, json (who and why), then ids
-- REPLY: per job: 1 ready, 0 in another state
--@include now
--@include emit
--@include wake
--@include history
--@include ready
local replies, moved = {}, {}
for i = 3, #ARGV do
  local id = ARGV[i]
  if redis.call('ZREM', K_scheduled, id) + redis.call('ZREM', K_retry, id) > 0 then
    moved[#moved + 1] = id
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = 0
  end
end
if #moved > 0 then
  for i = 1, #moved do remember(moved[i], 'promoted', 0, 0, '-', '-', '-', ARGV[2]) end
  make_ready(moved)
  emit('promoted', moved)
  wake()
end
return replies
