-- Changes the header, the row or a note, if fields are as the client has read them.
-- ARGV: those of common.lua; what the counter is created with or raised to, or '' if it stays; how many fields are
--       compared, and set; then fields with their values: what is expected, '' if the field is missing ('lost' is no
--       field: 'yes' if the row is marked as lost); what is set; numbers that are raised.
-- Returns 'changed', 'moved' or 'refused'.
local set = 7 + 2 * tonumber(ARGV[5])
local raised = set + 2 * tonumber(ARGV[6])
-- If the first one holds its new value, the change was made before.
if set < raised and redis.call('HGET', KEYS[2], ARGV[set]) == ARGV[set + 1] then
  return 'changed'
end
for i = 7, set - 1, 2 do
  local held = redis.call('HGET', KEYS[2], ARGV[i] == 'lost' and 'state' or ARGV[i]) or ''
  if ARGV[i] == 'lost' then
    held = held == 'LOST' and 'yes' or 'no'
  end
  if held ~= ARGV[i + 1] then
    return 'refused'
  end
end
for i = set, raised - 1, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
for i = raised, #ARGV, 2 do
  raise(ARGV[i], ARGV[i + 1])
end
if ARGV[4] ~= '' then
  local now = redis.call('GET', KEYS[1])
  if not counts(now) or below(now, ARGV[4]) then
    redis.call('SET', KEYS[1], ARGV[4])
  elseif more(now) > 0 then
    -- Up to a number of this server, unless there is none any more.
    redis.pcall('INCRBY', KEYS[1], more(now))
  end
end
return 'changed'
