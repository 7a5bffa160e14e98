INSERT INTO photo (id, title) VALUES (1, 'sunrise'), (2, 'noon'), (3, 'sunset');
