-- Keeps what a preview found until it is confirmed or runs out.
-- KEYS: preview
-- ARGV: clock, the preview, how long to keep it in ms
-- REPLY: 1
-- A removal first, even of nothing, so that this works when memory is full (ADR 11).
local keys = require('keys')
redis.call('DEL', keys.preview)
redis.call('SET', keys.preview, '- ' .. ARGV[2], 'PX', ARGV[3])
return 1
