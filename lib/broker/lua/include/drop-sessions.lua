--@include sessions
-- Ends the sessions of a person (at most 50), but for one. Replies how many of them were still good.
local function drop_sessions(person, but)
  local gone = 0
  for id in string.gmatch(redis.call('HGET', K_accessSessions, 'of:' .. person) or '', '%x+') do
    if id ~= but then
      local session = session_of(id)
      if session and session_end(session) > now then gone = gone + 1 end
      drop_session(id)
    end
  end
  return gone
end
