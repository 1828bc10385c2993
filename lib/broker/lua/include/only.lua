-- Ids of jobs of other tenants than those asked for become ids of no job: who judged the tenant of an id may have judged the job that had
-- it before. ARGV[3]: tenants, separated by spaces; empty: jobs of all tenants.
--@include row
if ARGV[3] ~= '' and #ARGV > 3 then
  local tenants = {}
  for tenant in string.gmatch(ARGV[3], '%S+') do tenants[tenant] = true end
  local rows = redis.call('HMGET', K_jobs, unpack(ARGV, 4, #ARGV))
  for i = 4, #ARGV do
    local row = rows[i - 3]
    if row and not tenants[select(5, header(row)) or 'unknown'] then ARGV[i] = '' end
  end
end
