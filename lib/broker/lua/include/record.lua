-- A change by a person, entered in the queue's record by the script that makes it: both happen or neither.
-- `by` is the JSON note of who and why.
local function record(what, by, before, after)
  redis.call('XADD', K_changes, 'MAXLEN', '~', 1000, '*', 'at', string.format('%.0f', now), 'what', what, 'by', by,
    'before', before or '', 'after', after or '')
end
