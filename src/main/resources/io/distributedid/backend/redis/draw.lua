-- Draws a block, if the counter and its row are as the client knows them. A refused draw changes nothing.
-- ARGV: those of common.lua; version of the row; the smallest last id whose next one is new to the client; the largest
--       with all the ids that are wanted; how far the counter goes; then for each other server that was seen: its
--       note, and how far it was.
-- Returns the block's last id; 'beyond' and the last id, if that is too large; 'moved'; or 'refused'.
local row = redis.call('HMGET', KEYS[2], 'version', 'state', 'number')
local now = redis.call('GET', KEYS[1])
if row[1] ~= ARGV[4] or row[2] ~= 'OPEN' or not counts(now) or not counts(row[3])
    or more(now) ~= 0 or below(now, ARGV[5]) then
  return 'refused'
end
-- As a rule the counter is where the last draw has left it, and the row with it. A row that was raised may hold any
-- number: then the next id must lie above. Only Redis itself adds exactly.
if below(now, row[3]) then
  if type(redis.pcall('INCRBY', KEYS[1], ARGV[2])) == 'table' then
    return 'beyond ' .. now
  end
  local next = redis.call('GET', KEYS[1])
  redis.call('SET', KEYS[1], now)
  if not below(row[3], next) then
    return 'refused'
  end
end
if not counts(ARGV[6]) or below(ARGV[6], now) then
  return 'beyond ' .. now
end
local added = redis.call('INCRBY', KEYS[1], ARGV[7])
local last = added < 9007199254740992 and string.format('%.0f', added) or redis.call('GET', KEYS[1])
redis.call('HSET', KEYS[2], 'number', last)
for i = 8, #ARGV, 2 do
  raise(ARGV[i], ARGV[i + 1])
end
return last
