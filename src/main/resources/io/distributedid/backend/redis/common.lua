-- What scripts begin with that write. Before Redis 7, a script must say that it writes after it has asked INFO.
if redis.replicate_commands then
  redis.replicate_commands()
end
-- Numbers may have 19 digits, which Lua's own do not hold: they are compared as texts.
local function below(a, b)
  return #a < #b or (#a == #b and a < b)
end
