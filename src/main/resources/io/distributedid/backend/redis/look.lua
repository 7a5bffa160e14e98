-- Reads a counter with its ledger, and which server holds them, and as what. Changes nothing.
-- KEYS: the counter, its ledger. Returns: what INFO says of the server; the counter; the fields of the ledger.
-- Valkey calls the mode server_mode.
local server = redis.call('INFO', 'server')
local replication = redis.call('INFO', 'replication')
return {
  {
    'run_id', string.match(server, 'run_id:(%x+)') or '',
    'master_replid', string.match(replication, 'master_replid:(%x+)') or '',
    'role', string.match(replication, 'role:(%a+)') or '',
    'mode', string.match(server, 'redis_mode:(%a+)') or string.match(server, 'server_mode:(%a+)') or ''
  },
  redis.call('GET', KEYS[1]),
  redis.call('HGETALL', KEYS[2])
}
