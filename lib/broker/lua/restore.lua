-- Brings trashed or suppressed jobs back to the dead-letter queue, as of when they died.
-- KEYS: jobs dead deadBy deaths suppressed trash history events
-- ARGV: clock, json (who and why), then ids
-- REPLY: per job: 1 restored, 0 in another state
--@include now
--@include emit
--@include history
--@include bury
--@include unbury
local replies, moved = {}, {}
for i = 3, #ARGV do
  local id = ARGV[i]
  if redis.call('ZREM', K_trash, id) + redis.call('ZREM', K_suppressed, id) > 0 then
    local jobType, tenant = type_and_tenant(redis.call('HGET', K_jobs, id))
    local diedAt, class, code = death_of(id)
    index_dead(id, jobType, tenant, class or 'permanent', code or 'UNKNOWN', diedAt or now)
    remember(id, 'restored', 0, 0, '-', '-', '-', ARGV[2])
    moved[#moved + 1] = id
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = 0
  end
end
if #moved > 0 then emit('restored', moved) end
return replies
