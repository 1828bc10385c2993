/** The leanest life of a job that can still be told apart from losing it: a row, a line, a claim with a token and a lease. */

/** KEYS: rows ready wake. ARGV: per job id, row. */
export const LEAN_ADD = `
local ids = {}
for i = 1, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
redis.call('HSET', KEYS[1], unpack(ARGV))
redis.call('RPUSH', KEYS[2], unpack(ids))
redis.call('ZADD', KEYS[3], 0, '1')
return #ids
`;

/**
 * Acknowledges what is done and takes what is next, in one call.
 * KEYS: rows ready wake claims leases. ARGV: how many to take, token, lease in ms, then per job done: id, its token.
 * REPLY: how many acknowledgements counted, ids taken, their rows.
 */
export const LEAN_TURN = `
local done = {}
if #ARGV > 3 then
  local ids = {}
  for i = 4, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
  local held = redis.call('HMGET', KEYS[4], unpack(ids))
  for i = 1, #ids do
    if held[i] == ARGV[3 + 2 * i] then done[#done + 1] = ids[i] end
  end
  if #done > 0 then
    redis.call('HDEL', KEYS[4], unpack(done))
    redis.call('ZREM', KEYS[5], unpack(done))
    redis.call('HDEL', KEYS[1], unpack(done))
  end
end
local want = tonumber(ARGV[1])
local taken = want > 0 and redis.call('LPOP', KEYS[2], want)
if not taken then return { #done } end
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3]
local claims, leases = {}, {}
for i = 1, #taken do
  claims[2 * i - 1] = taken[i]
  claims[2 * i] = ARGV[2]
  leases[2 * i - 1] = ends
  leases[2 * i] = taken[i]
end
redis.call('HSET', KEYS[4], unpack(claims))
redis.call('ZADD', KEYS[5], unpack(leases))
if redis.call('LLEN', KEYS[2]) > 0 then redis.call('ZADD', KEYS[3], 0, '1') end
return { #done, taken, redis.call('HMGET', KEYS[1], unpack(taken)) }
`;
