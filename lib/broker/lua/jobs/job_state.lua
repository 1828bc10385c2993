-- Where is the job? Its index is its state; there is no second copy of it that could disagree.
local keys = require('keys')
local function find(id)
  local score = redis.call('ZSCORE', keys.ready, id)
  if score then return 'ready', score end
  score = redis.call('ZSCORE', keys.inflight, id)
  if score then return 'in-flight', score end
  score = redis.call('ZSCORE', keys.scheduled, id)
  if score then return 'scheduled', score end
  score = redis.call('ZSCORE', keys.retry, id)
  if score then return 'retry', score end
  score = redis.call('ZSCORE', keys.held, id)
  if score then return 'held', score end
  score = redis.call('ZSCORE', keys.completed, id)
  if score then return 'completed', score end
  score = redis.call('ZSCORE', keys.dead, id)
  if score then return 'dead', score end
  score = redis.call('ZSCORE', keys.suppressed, id)
  if score then return 'suppressed', score end
  score = redis.call('ZSCORE', keys.trash, id)
  if score then return 'trashed', score end
  return nil
end
return { find = find }
