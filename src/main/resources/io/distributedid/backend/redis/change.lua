-- Changes the record and the counter, if both are as the client has read them.
-- KEYS: the counter, the record.
-- ARGV: replication id of the server; what to do with the counter ('keep', 'raise' or 'lower') and two numbers;
--       the number of fields to compare, and for each: its name, '1' and its value, or '0' and '' if it is missing;
--       then for each field to write: its name and its value.
-- Returns: 'changed', 'moved' or 'refused'.
if moved(ARGV[1]) then
  return 'moved'
end
local compared = tonumber(ARGV[5])
for i = 6, 5 + 3 * compared, 3 do
  local held = redis.call('HGET', KEYS[2], ARGV[i])
  if (ARGV[i + 1] == '1' and held ~= ARGV[i + 2]) or (ARGV[i + 1] == '0' and held) then
    return 'refused'
  end
end
local now = redis.call('GET', KEYS[1])
if ARGV[2] == 'lower' then
  if now ~= ARGV[3] then
    return 'refused'
  end
  redis.call('SET', KEYS[1], ARGV[4])
elseif ARGV[2] == 'raise' and (not counts(now) or below(now, ARGV[3])) then
  redis.call('SET', KEYS[1], ARGV[3])
end
for i = 6 + 3 * compared, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
-- From now on the counter must not lie below this id. Only who sets the counter may set that back too. If the counter
-- is higher than asked for, that is not noted: it may be wrong, and the client has not seen it.
if ARGV[2] ~= 'keep' and redis.call('HGET', KEYS[2], 'generation') then
  local last = redis.call('GET', KEYS[1])
  local held = redis.call('HGET', KEYS[2], 'last')
  if ARGV[2] == 'raise' and below(ARGV[3], last) and (not held or below(held, last)) then
    last = held and below(ARGV[3], held) and held or ARGV[3]
  end
  redis.call('HSET', KEYS[2], 'last', last)
end
return 'changed'
