SELECT t.processlist_id, t.processlist_user, t.processlist_host
FROM performance_schema.variables_by_thread v
JOIN performance_schema.threads t USING (thread_id)
WHERE v.variable_name = 'auto_increment_increment' AND v.variable_value <> 10;
