-- Uses a preview up: it is confirmed by one operation, and by no other.
-- KEYS: preview
-- ARGV: clock, id of the operation ('' to look only)
-- REPLY: who had used it before ('-' none), the preview; nil when it ran out or never was
local keys = require('keys')
local kept = redis.call('GET', keys.preview)
if not kept then return nil end
local used, preview = string.match(kept, '^(%S+) (.*)$')
if ARGV[2] ~= '' and used == '-' then
  local left = redis.call('PTTL', keys.preview)
  redis.call('DEL', keys.preview)
  redis.call('SET', keys.preview, ARGV[2] .. ' ' .. preview, 'PX', math.max(left, 1))
end
return { used, preview }
