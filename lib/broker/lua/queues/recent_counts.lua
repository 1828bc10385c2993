-- What happened lately, from what every console finds in Redis: the minute under way and the five before it, and how a backlog moves.
local clock = require('redis.clock')
local duration_buckets = require('queues.duration_buckets')
local keys = require('keys')
-- Each counter of each minute, the latest minute first. Written out: a loop that builds the fields costs twice as much.
local counts
local function by_minute()
  local now = math.floor(clock.now / 60000)
  local a, b, c, d, e, f = now .. ':', now - 1 .. ':', now - 2 .. ':', now - 3 .. ':', now - 4 .. ':', now - 5 .. ':'
  counts = redis.call('HMGET', keys.minutes,
    a .. 'enqueued', b .. 'enqueued', c .. 'enqueued', d .. 'enqueued', e .. 'enqueued', f .. 'enqueued',
    a .. 'completed', b .. 'completed', c .. 'completed', d .. 'completed', e .. 'completed', f .. 'completed',
    a .. 'failed', b .. 'failed', c .. 'failed', d .. 'failed', e .. 'failed', f .. 'failed',
    a .. 'reclaimed', b .. 'reclaimed', c .. 'reclaimed', d .. 'reclaimed', e .. 'reclaimed', f .. 'reclaimed',
    a .. 'dead', b .. 'dead', c .. 'dead', d .. 'dead', e .. 'dead', f .. 'dead',
    a .. 'redriven', b .. 'redriven', c .. 'redriven', d .. 'redriven', e .. 'redriven', f .. 'redriven')
  return counts
end
-- How ready jobs come and go, over a minute, or as long as the oldest of them has waited (3 s at least): jobs completed (as far as they are
-- kept) and dead over so long as forty completions took, 5 s at least, and over 20 s. The longer time tells more exactly, unless it holds what
-- was before a resume or with other workers. Of the younger half of the wait: jobs that came and wait. An older half may begin with a burst, which is no rate.
local TELLING, TELLING_MS, LONGER_MS = 40, 5000, 20000
local function ended(ms)
  local since = string.format('%.0f', clock.now - ms)
  return redis.call('ZCOUNT', keys.completed, since, '+inf'), redis.call('ZCOUNT', keys.dead, since, '+inf')
end
local function flow()
  local oldest = redis.call('ZRANGE', keys.waiting, 0, 0, 'WITHSCORES')[2]
  local span = oldest and math.min(60000, math.max(3000, clock.now - oldest)) or 60000
  local kept = redis.call('ZRANGE', keys.completed, 0, 0, 'WITHSCORES')[2] or ''
  local telling = redis.call('ZRANGE', keys.completed, -TELLING, -TELLING, 'WITHSCORES')[2]
  local done = telling and math.min(span, math.max(TELLING_MS, clock.now - telling)) or span
  local longer = math.max(done, math.min(span, LONGER_MS))
  local completed, dead = ended(done)
  local completed_longer, dead_longer = completed, dead
  if longer > done then completed_longer, dead_longer = ended(longer) end
  local arrived = oldest and redis.call('ZCOUNT', keys.waiting, string.format('%.0f', clock.now - math.floor(span / 2)), '+inf')
  return { done, completed, kept, dead, span, arrived or 0, longer, completed_longer, dead_longer }
end
-- Histograms of the run times from minute `since` on, of the latest six minutes at most: whole minutes change no more, so a reader asks
-- for the others only; behind each histogram the span of a sample of its runs. Minutes without a completed job are left out. Without `since`: none. Comes after by_minute.
local function run_times(since)
  if not since then return {} end
  local fields, minutes, now = {}, {}, math.floor(clock.now / 60000)
  for back = 0, math.min(5, now - since) do
    if counts[7 + back] then
      local start = now - back .. ':run:'
      minutes[#minutes + 1] = now - back
      for _, upto in ipairs(duration_buckets.counted()) do fields[#fields + 1] = start .. upto end
      fields[#fields + 1] = start .. 'span'
    end
  end
  return #fields > 0 and { minutes, redis.call('HMGET', keys.minutes, unpack(fields)) } or {}
end
return { by_minute = by_minute, flow = flow, run_times = run_times }
