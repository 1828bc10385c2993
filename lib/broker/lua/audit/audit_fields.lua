-- The fields of an audit event behind n, at, action and by, and the longest text of a field. The writer and the reader cut alike, because
-- a producer's or worker's Redis user can write events without the writer.
local FIELDS = { 'kind', 'id', 'queue', 'before', 'after', 'count', 'filter', 'result', 'code' }
-- A cut value says so, with a digest of the whole: nothing may hide behind a long beginning.
local function cut(value)
  if #value <= 4000 then return value end
  return string.sub(value, 1, 3900) .. string.format('... (cut; %d bytes, sha1 %s)', #value, redis.sha1hex(value))
end
return { FIELDS = FIELDS, cut = cut }
