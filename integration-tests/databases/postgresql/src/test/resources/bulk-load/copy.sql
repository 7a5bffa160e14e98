COPY photo (id, title) FROM STDIN (FORMAT csv);
