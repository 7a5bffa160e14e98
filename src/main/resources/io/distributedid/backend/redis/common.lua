-- What scripts begin with that write. Before Redis 7, a script must say that it writes after it has asked INFO.
if redis.replicate_commands then
  redis.replicate_commands()
end
-- Numbers may have 19 digits, which Lua's own do not hold: they are compared as texts.
local function below(a, b)
  return #a < #b or (#a == #b and a < b)
end
-- Whether a counter is there and counts.
local function counts(value)
  return value and string.match(value, '^%d+$')
end
-- Whether this server does not continue the history with that replication id.
local function moved(id)
  return not string.find(redis.call('INFO', 'replication'), 'master_replid:' .. id, 1, true)
end
