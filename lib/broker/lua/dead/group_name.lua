-- Failures of one type with one class, one code and one print are one group, named by twelve hex digits of them. The print is
-- the shape of message and stack (lib/broker/fingerprint.ts), the first field of a failure's note; "-" where there is none.
local function of(jobType, class, code, print)
  return string.sub(redis.sha1hex(jobType .. '\n' .. class .. '\n' .. code .. '\n' .. print), 1, 12)
end
local function fingerprint(json)
  return string.match(json, '^{"print":"(%x+)"') or '-'
end
return { of = of, fingerprint = fingerprint }
