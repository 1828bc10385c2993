-- A row of `deaths`: "<diedAt> <class> <code> <group> <type> <version> <tenant> <priority> <attempt> <operation>". `operation`: the one
-- that moved the job to where it is, or had put it back before it died again; else "-".
local job_row = require('rows.job_row')
-- `alike`: group, type, version and tenant, as dead_counts.lua has them; `start`: everything up to the operation. Of a row that was
-- read they need not be put together again.
local function parse(row)
  local diedAt, class, code, alike, group, jobType, tenant, attempt, upto, operation =
    string.match(row or '', '^(%d+) (%S+) (%S+) ((%S+) (%S+) %d+ (%S+)) %-?%d+ (%d+) ()(%S+)$')
  return diedAt and { diedAt = diedAt, class = class, code = code, alike = alike, group = group, type = jobType, tenant = tenant,
    attempt = attempt, start = string.sub(row, 1, upto - 1), operation = operation }
end
-- A death with the fields of the job's row, or of an unreadable row "unknown". The caller adds diedAt and the rest.
local function from_job(row)
  local priority, _, _, jobType, tenant, unique, version = job_row.parse(row or '')
  return { type = jobType or 'unknown', version = version or '0', tenant = tenant or 'unknown', priority = priority or '0' }, unique
end
local function format(death)
  if death.start then return death.start .. death.operation end
  return death.diedAt .. ' ' .. death.class .. ' ' .. death.code .. ' ' .. death.group .. ' ' .. death.type .. ' '
    .. death.version .. ' ' .. death.tenant .. ' ' .. death.priority .. ' ' .. death.attempt .. ' ' .. death.operation
end
-- One field at a time, for searches, which ask for few of many rows: its pattern, and the value of a row that cannot be read.
local FIELDS = {
  class = { '^%d+ (%S+) ', false }, code = { '^%d+ %S+ (%S+) ', false }, group = { '^%d+ %S+ %S+ (%S+) ', false },
  type = { '^%d+ %S+ %S+ %S+ (%S+) ', 'unknown' }, version = { '^%d+ %S+ %S+ %S+ %S+ (%d+) ', '0' },
  tenant = { '^%d+ %S+ %S+ %S+ %S+ %d+ (%S+) ', 'unknown' }, priority = { '^%d+ %S+ %S+ %S+ %S+ %d+ %S+ (%-?%d+) ', '0' },
  attempts = { ' (%d+) %S+$', '0' }, operation = { ' (%S+)$', false },
}
return { FIELDS = FIELDS, parse = parse, from_job = from_job, format = format }
