CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(255));
INSERT INTO photo (id, title) VALUES (7000000, 'copied from production');
