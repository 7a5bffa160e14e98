ALTER TABLE Photo MODIFY id BIGINT NOT NULL;
SET PERSIST auto_increment_increment = 1;
SET PERSIST auto_increment_offset = 1;
