-- A token is a row under its id: a line of numbers and the digest of what its bearer holds, a line with its owner's id, a line with
-- the address that used it last, a line of JSON.
local function token_of(id)
  local created, ends, used, digest, owner, address, about = string.match(
    redis.call('HGET', K_accessTokens, id) or '', '^(%d+) (%d+) (%d+) (%x+)\n([^\n]*)\n([^\n]*)\n(.*)$')
  if not created then return nil end
  return { created = created, ends = tonumber(ends), used = tonumber(used), digest = digest, owner = owner, address = address, about = about }
end
