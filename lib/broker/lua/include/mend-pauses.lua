-- Pauses whose record is none of ours: nobody can tell who paused, nor until when. They hold jobs back until they are taken out here;
-- mend-held then brings back what they held.
--@include now
local function mend_pauses()
  if redis.call('HLEN', K_pauses) == 0 then return end
  local rows = redis.call('HSCAN', K_pauses, '0', 'COUNT', 500)[2]
  for i = 1, #rows, 2 do
    local scope = rows[i]
    local named = scope == 'queue' or string.find(scope, '^tenant:.') or string.find(scope, '^type:.')
    if not named or not string.find(rows[i + 1], '^%d+ %d+ ') then
      redis.call('HDEL', K_pauses, scope)
      mended = mended + 1
      -- People look for what changed among the changes of the queue.
      redis.call('XADD', K_changes, 'MAXLEN', '~', 1000, '*', 'at', string.format('%.0f', now), 'what', 'repair',
        'by', '{"actor":"system","reason":"The record of this pause could not be read, so the pause was ended."}',
        'before', string.sub(scope, 1, 200), 'after', '')
    end
  end
end
