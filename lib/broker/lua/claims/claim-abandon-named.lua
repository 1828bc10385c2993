-- Gives back every job that claim calls of one name still hold; see claim-named. With a nonce: of this call only.
-- KEYS: ready waiting retry inflight claims attempts history calls callEnds config running throttled counters minutes events wake
-- ARGV: clock, name of the call, nonce of the one call ("" all of that name)
-- REPLY: released
local claim_calls = require('claims.claim_calls')
local claim_row = require('rows.claim_row')
local keys = require('keys')
local queue = require('queue')
local released_claims = require('claims.released_claims')
local row = redis.call('HGET', keys.calls, ARGV[2])
if not row then return queue.commit(0) end
local kept, taken = {}, {}
for call in string.gmatch(row, '%S+') do
  local nonce = string.match(call, '^[^|]+')
  local into = (ARGV[3] == '' or nonce == ARGV[3]) and taken or kept
  into[#into + 1] = call
end
if #kept == 0 then claim_calls.remove({ ARGV[2] }) end
for _, call in ipairs(taken) do
  local nonce, list = string.match(call, '^([^|]+)|(.+)$')
  local ids = {}
  for id in string.gmatch(list or '', '[^|]+') do ids[#ids + 1] = id end
  local rows = #ids > 0 and redis.call('HMGET', keys.claims, unpack(ids)) or {}
  for i = 1, #ids do
    local claim = rows[i] and claim_row.parse(rows[i])
    if claim and claim.nonce == nonce then released_claims.add(ids[i], claim, 0, '{"reason":"the reply to its claim was lost"}') end
  end
end
if #kept > 0 and #taken > 0 then redis.call('HSET', keys.calls, ARGV[2], table.concat(kept, ' ')) end
return queue.commit(released_claims.count())
