-- Deletes every row of jobs that are in no state any more, and enters them in the ledger.
local function forget(ids)
  redis.call('HDEL', K_jobs, unpack(ids))
  redis.call('HDEL', K_attempts, unpack(ids))
  redis.call('HDEL', K_history, unpack(ids))
  redis.call('HDEL', K_deaths, unpack(ids))
  redis.call('HDEL', K_results, unpack(ids))
  count('deleted', #ids)
end
