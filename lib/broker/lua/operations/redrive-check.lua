-- Whether jobs may run again in this shard, for a preview: by the rules of redrive, or of a move from another queue. Writes nothing.
-- KEYS: jobs unique
-- ARGV: clock, `redrive`, `move`, or `return` (a move into the queue where they are), then per job: id, 1 when it needs an idempotency key, its row (the payload may be missing)
-- REPLY: per job: why it may not, '' when it may
local keys = require('keys')
local redrive_rules = require('operations.redrive_rules')
local reply = {}
for i = 3, #ARGV, 3 do
  local id, keyed, row = ARGV[i], ARGV[i + 1] == '1', ARGV[i + 2]
  local reason
  if ARGV[2] == 'redrive' then
    reason = redrive_rules.refusal(id, row, {}, keyed)
  else
    local unique
    reason, unique = redrive_rules.rerun_refusal(row, keyed)
    -- A job leaves its own queue before it arrives there again.
    local is_present = ARGV[2] == 'move' and redis.call('HEXISTS', keys.jobs, id) == 1
    reason = reason or redrive_rules.arrival_refusal(id, is_present, unique, {})
  end
  reply[#reply + 1] = reason or ''
end
return reply
