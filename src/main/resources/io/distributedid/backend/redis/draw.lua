-- Draws a block, if the record and the counter are as the client knows them.
-- KEYS: the counter, the record.
-- ARGV: generation; replication id of the server; the client's last id; the highest that the counter may be;
--       the distance to the block's last id; then for each other server: its offset, its generation, its last id.
-- Returns the block's last id; 'full' and the last id; 'moved'; or 'refused'.
if moved(ARGV[2]) then
  return 'moved'
end
local known = redis.call('HMGET', KEYS[2], 'generation', 'last')
local now = redis.call('GET', KEYS[1])
-- As a rule the counter is where the last draw has left it.
local good = now and now == known[2] or counts(now) and not (known[2] and below(now, known[2]))
if known[1] ~= ARGV[1] or not good or below(now, ARGV[3]) or below(ARGV[4], now) then
  return 'refused'
end
local added = redis.pcall('INCRBY', KEYS[1], ARGV[5])
if type(added) == 'table' then
  if string.find(added.err, 'overflow') then
    return 'full ' .. now
  end
  return added
end
local last = added < 9007199254740992 and string.format('%.0f', added) or redis.call('GET', KEYS[1])
redis.call('HSET', KEYS[2], 'last', last)
for i = 6, #ARGV, 3 do
  local field = 'server:' .. ARGV[i]
  local held = redis.call('HGET', KEYS[2], field)
  local generation, id, token = string.match(held or '', '^(%d+) (%d+)(.*)$')
  if generation and (below(generation, ARGV[i + 1]) or (generation == ARGV[i + 1] and below(id, ARGV[i + 2]))) then
    redis.call('HSET', KEYS[2], field, ARGV[i + 1] .. ' ' .. ARGV[i + 2] .. token)
  end
end
return last
