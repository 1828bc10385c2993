-- For scripts that change a queue: clock, counters, events and wake-ups. Tallies are
-- written once, at the end: `return queue.commit(reply)` calls `commit` of every module that the script loaded, the last one first
-- (see scripts/lua.mjs), so that counts, deaths, capacity and wake-ups cannot be forgotten.
local clock = require('redis.clock')
local counters = require('queues.counters')
local events = require('queues.events')
local wake = require('queues.wake')
return { now = clock.now, minute = counters.minute, count = counters.count, total = counters.total, pending = counters.pending,
  emit = events.emit, wake = wake.wake }
