-- Ends a pause: it runs out now, and the jobs it held go back to their old places, in steps.
-- KEYS: ready waiting held heldBy pauses events wake changes audit
-- ARGV: clock, scope, json (who and why), 1 for the first of several calls
-- REPLY: 1 resumed, 2 call again: jobs are still held, 0 was not paused
--@include now
--@include emit
--@include record
--@include wake
--@include held
--@include pauses
local row = redis.call('HGET', K_pauses, ARGV[2])
if not row then return 0 end
-- A row that is none of ours is ended like any other: whoever asks for it knows what is paused.
local since, json = string.match(row, '^(%d+) %d+ (.*)$')
since, json = since or string.format('%.0f', now), json or '{}'
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('ZREM', K_held, '')
redis.call('HSET', K_pauses, ARGV[2], since .. ' ' .. now .. ' ' .. json)
if ARGV[4] == '1' then record('resume', ARGV[3], ARGV[2]) end
live_pauses(400)
wake()
if redis.call('HEXISTS', K_pauses, ARGV[2]) == 1 then return 2 end
emit('resumed', { ARGV[2] })
return 1
