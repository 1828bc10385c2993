-- Stops an operation in this place: no chunk after this one moves anything. What is on its way to another queue still arrives.
-- KEYS: ready operations changes audit
-- ARGV: clock, op, json (who and why), kind, what it is about
-- REPLY: as that of a chunk, see include/chunk.lua
--@include progress
load_progress()
if progress.status ~= 'running' then return progress_reply(false, 0) end
-- A removal comes first, even of nothing: stopping must work just when memory is full.
redis.call('HDEL', K_operations, '')
progress.status = 'stopped'
save_progress()
enter(ARGV[3], ARGV[4], ARGV[5])
return progress_reply(true, 0)
