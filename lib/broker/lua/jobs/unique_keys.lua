-- unique: key -> "<owner id> <until>"; uniqueUntil: key by when it runs out, so that maintenance can forget it.
-- What a row says is unique about a job: "<c|d|w>:<ttlMs>:<key>": its key is taken until it is claimed, until it is done, or
-- for the whole time to live. Only the owner frees a key: one that ran out may be somebody else's by then.
local clock = require('redis.clock')
local keys = require('keys')
local function owner(key)
  local row = redis.call('HGET', keys.unique, key)
  local owner, ends = string.match(row or '', '^(%S+) (%d+)$')
  return owner and tonumber(ends) > clock.now and owner or nil
end
local function take(spec, id)
  local ttl, key = string.match(spec, '^%a:(%d+):(.+)$')
  redis.call('HSET', keys.unique, key, id .. ' ' .. string.format('%.0f', clock.now + ttl))
  redis.call('ZADD', keys.uniqueUntil, clock.now + ttl, key)
end
local function free(spec, id, scopes)
  if not spec or not string.find(scopes, string.sub(spec, 1, 1), 1, true) then return end
  local key = string.match(spec, '^%a:%d+:(.+)$')
  if string.match(redis.call('HGET', keys.unique, key) or '', '^(%S+)') ~= id then return end
  redis.call('HDEL', keys.unique, key)
  redis.call('ZREM', keys.uniqueUntil, key)
end
return { owner = owner, take = take, free = free }
