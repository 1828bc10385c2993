-- Raises a schedule's fence: from now on no tick of an older generation enters anything here. Says what was done up to now.
-- KEYS: slots changes
-- ARGV: clock, schedule id, generation, 1 for a new schedule (whose count starts anew), json (who and why), before and after (json)
-- REPLY: 1 raised, or 0: the fence is at this generation or a later one; generation, last slot, last job, outcome, entered, skipped
--@include now
--@include slots
--@include change
local id, generation = ARGV[2], tonumber(ARGV[3])
local at, slot, job, outcome, entered, skipped = fence_of(redis.call('HGET', K_slots, id))
if at >= generation then return { 0, at, slot, job, outcome, entered, skipped } end
-- A removal comes first, even of nothing: pausing must work just when memory is full.
redis.call('HDEL', K_slots, '')
if ARGV[4] == '1' then job, outcome, entered, skipped = '-', '-', 0, 0 end
set_fence(id, generation, slot, job, outcome, entered, skipped)
enter_change('schedule', ARGV[5], ARGV[6], ARGV[7])
return { 1, generation, slot, job, outcome, entered, skipped }
