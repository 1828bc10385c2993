-- A token is a row under its id: a line of numbers and the digest of what its bearer holds, a line with its owner's id, a line with
-- the address that used it last, a line of JSON.
local id_list = require('access.id_list')
local keys = require('keys')
local shares = require('access.shares')
local function read(id)
  local created, ends, used, digest, owner, address, about = string.match(
    redis.call('HGET', keys.accessTokens, id) or '', '^(%d+) (%d+) (%d+) (%x+)\n([^\n]*)\n([^\n]*)\n(.*)$')
  if not created then return nil end
  return { created = created, ends = tonumber(ends), used = tonumber(used), digest = digest, owner = owner, address = address, about = about }
end
-- Besides its row a token stands in `of:<owner>`, the ids of an owner's tokens, and in `tokenEnds`, by when its row may go: 30 days after
-- its end, so that its owner can see why it stopped working.
local function save(id, token)
  redis.call('HDEL', keys.accessTokens, id)
  redis.call('HSET', keys.accessTokens, id, string.format('%s %.0f %.0f %s\n%s\n%s\n%s', token.created, token.ends, token.used,
    token.digest, token.owner, token.address, token.about))
  redis.call('ZADD', keys.accessTokenEnds, string.format('%.0f', token.ends + 2592000000), id)
end
local function remove(id)
  local token = read(id)
  redis.call('HDEL', keys.accessTokens, id)
  redis.call('ZREM', keys.accessTokenEnds, id)
  shares.give_back(keys.accessShares, 'tokens', id)
  if not token then return end
  id_list.remove(keys.accessTokens, token.owner, id)
end
return { read = read, save = save, remove = remove }
