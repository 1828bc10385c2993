-- Where the last line of a log begins. Most logs have one line, in which a pattern would look for the end of another at every letter.
local function last_line_at(log)
  return string.find(log, '\n', 1, true) and string.match(log, '^.*\n()') or 1
end
