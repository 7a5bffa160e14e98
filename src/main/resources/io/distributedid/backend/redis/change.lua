-- Changes the header, the row or a note, if one field is as the client has read it.
-- KEYS: the counter, its ledger.
-- ARGV: replication id; the field, what it holds or '' if it is missing, and what it holds if it was changed already;
--       whether the row is marked as lost, 'yes' or 'no', and its number, each '' if it is not compared;
--       the distance between two ids of the server, and their remainder; what the counter is created with or raised to,
--       or '' if it stays; how many fields are set, and for each: its name and its value;
--       then for each number that is raised: its field and the number.
-- Returns 'changed', 'moved' or 'refused'.
if moved(ARGV[1]) then
  return 'moved'
end
local held = redis.call('HGET', KEYS[2], ARGV[2]) or ''
if held == ARGV[4] and held ~= '' then
  return 'changed'
end
local row = redis.call('HMGET', KEYS[2], 'state', 'number')
if held ~= ARGV[3] or ARGV[5] == (row[1] == 'LOST' and 'no' or 'yes') or (ARGV[6] ~= '' and ARGV[6] ~= row[2]) then
  return 'refused'
end
local raised = 11 + 2 * tonumber(ARGV[10])
for i = 11, raised - 1, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
for i = raised, #ARGV, 2 do
  raise(ARGV[i], ARGV[i + 1])
end
if ARGV[9] ~= '' then
  local now = redis.call('GET', KEYS[1])
  if not counts(now) or below(now, ARGV[9]) then
    redis.call('SET', KEYS[1], ARGV[9])
  else
    -- Up to a number of this server, unless there is none any more.
    local more = (tonumber(ARGV[8]) - remainder(now, ARGV[7])) % tonumber(ARGV[7])
    if more > 0 then
      redis.pcall('INCRBY', KEYS[1], more)
    end
  end
end
return 'changed'
