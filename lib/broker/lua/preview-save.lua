-- Keeps what a preview found until it is confirmed or runs out.
-- KEYS: preview
-- ARGV: clock, the preview, how long to keep it in ms
-- REPLY: 1
-- A removal comes first, even of nothing: purging must work just when memory is full.
redis.call('DEL', K_preview)
redis.call('SET', K_preview, '- ' .. ARGV[2], 'PX', ARGV[3])
return 1
