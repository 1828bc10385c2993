-- Gives claimed jobs back unrun; see released_claims.lua.
-- KEYS: ready waiting retry inflight claims attempts history config running throttled counters minutes events wake
-- ARGV: clock, then per job: id, token, delay in ms (0: ready at once)
-- REPLY: per job: 1 released, 2 already released by this token, 0 stale
local attempt_row = require('rows.attempt_row')
local claim_row = require('rows.claim_row')
local keys = require('keys')
local queue = require('queue')
local released_claims = require('claims.released_claims')
local ids, replies = {}, {}
for i = 2, #ARGV, 3 do ids[#ids + 1] = ARGV[i] end
local rows = #ids > 0 and redis.call('HMGET', keys.claims, unpack(ids)) or {}
for i = 1, #ids do
  local id, token = ids[i], ARGV[3 * i]
  local released = released_claims.token_of(id)
  local claim = not released and claim_row.of_token(rows[i], token)
  if claim then
    released_claims.add(id, claim, tonumber(ARGV[3 * i + 1]), '{}')
    replies[i] = 1
  else
    local _, _, _, _, last = attempt_row.parse(redis.call('HGET', keys.attempts, id))
    replies[i] = (released == token or last == 'released:' .. token) and 2 or 0
  end
end
return queue.commit(replies)
