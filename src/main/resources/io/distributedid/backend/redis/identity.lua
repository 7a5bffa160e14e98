-- Which server holds a key, and as what.
-- KEYS: the counter. Returns run_id, master_replid, role and mode, with commas between them. Valkey calls the mode
-- server_mode.
local server = redis.call('INFO', 'server')
local replication = redis.call('INFO', 'replication')
return (string.match(server, 'run_id:(%x+)') or '') .. ','
  .. (string.match(replication, 'master_replid:(%x+)') or '') .. ','
  .. (string.match(replication, 'role:(%a+)') or '') .. ','
  .. (string.match(server, 'redis_mode:(%a+)') or string.match(server, 'server_mode:(%a+)') or '')
