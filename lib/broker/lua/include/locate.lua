-- Where is the job? Its index is its state; there is no second copy of it that could disagree.
local function locate(id)
  local score = redis.call('ZSCORE', K_ready, id)
  if score then return 'ready', score end
  score = redis.call('ZSCORE', K_inflight, id)
  if score then return 'in-flight', score end
  score = redis.call('ZSCORE', K_scheduled, id)
  if score then return 'scheduled', score end
  score = redis.call('ZSCORE', K_retry, id)
  if score then return 'retry', score end
  score = redis.call('ZSCORE', K_held, id)
  if score then return 'held', score end
  score = redis.call('ZSCORE', K_completed, id)
  if score then return 'completed', score end
  score = redis.call('ZSCORE', K_dead, id)
  if score then return 'dead', score end
  score = redis.call('ZSCORE', K_suppressed, id)
  if score then return 'suppressed', score end
  score = redis.call('ZSCORE', K_trash, id)
  if score then return 'trashed', score end
  return nil
end
