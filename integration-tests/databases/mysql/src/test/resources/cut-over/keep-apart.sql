SET PERSIST auto_increment_increment = 10;
SET PERSIST auto_increment_offset = 9;
