-- What scripts begin with that write.
-- KEYS: the counter, its ledger.
-- ARGV: replication id; the distance between two ids of the server, and their remainder; then those of the script.
-- Returns 'moved' if this server does not continue the history with that replication id.
-- Before Redis 7, a script must say that it writes after it has asked INFO.
if redis.replicate_commands then
  redis.replicate_commands()
end
if not string.find(redis.call('INFO', 'replication'), 'master_replid:' .. ARGV[1], 1, true) then
  return 'moved'
end
-- Numbers may have 19 digits, which Lua's own do not hold: they are compared as texts. Notes may be negative.
local function below(a, b)
  local negative = string.sub(a, 1, 1) == '-'
  if negative ~= (string.sub(b, 1, 1) == '-') then
    return negative
  end
  if negative then
    a, b = b, a
  end
  return #a < #b or (#a == #b and a < b)
end
-- Whether a counter is there and counts: a number as Redis writes it.
local function counts(value)
  return value and string.match(value, '^%d+$') and not string.match(value, '^0%d')
    and not below('9223372036854775807', value)
end
-- How far the next number of this server lies above a number, or 0 if that is one. Goes digit by digit.
local function more(number)
  local rest = 0
  for digit in string.gmatch(number, '%d') do
    rest = (rest * 10 + tonumber(digit)) % tonumber(ARGV[2])
  end
  return (tonumber(ARGV[3]) - rest) % tonumber(ARGV[2])
end
-- Raises a number of the ledger.
local function raise(field, number)
  local held = redis.call('HGET', KEYS[2], field)
  if not held or below(held, number) then
    redis.call('HSET', KEYS[2], field, number)
  end
end
