-- Puts back what no script leaves behind, but a hand, an eviction or a lost key can: jobs in a state that nothing leads out of,
-- or in none; side tables that no longer tell the truth. A sound queue costs it some twenty-five counts. Where it walks, it goes on
-- next time from where it was (`limits`, fields `mend:…`). What cannot be known any more goes where a person sees it.
-- KEYS: jobs ready waiting inflight claims attempts scheduled retry held heldBy dead deadBy deaths deadCounts groups driven operations outcomes suppressed trash completed results history pauses throttled unique uniqueUntil running config limits counters minutes events wake changes
-- ARGV: clock
-- REPLY: how many entries were put right, more to be looked at (1/0)
--@include count
--@include emit
--@include wake
--@include row
--@include claims
--@include attempts
--@include unique
--@include history
--@include bury
--@include held
--@include mending
--@include mend-flight
--@include mend-pauses
--@include mend-held
--@include mend-dead
--@include mend-rows
--@include mend-driven
-- A removal comes first, even of nothing: Redis refuses a script whose first write adds when memory is full.
redis.call('ZREM', K_ready, '')
mend_flight()
mend_running()
mend_line()
mend_pauses()
mend_held()
mend_dead()
mend_unique()
-- Last: what is in no state now is in none that could be found.
mend_rows()
mend_driven()
book_deaths()
wake()
return { mended, unfinished and 1 or 0 }
