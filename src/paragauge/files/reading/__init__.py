"""Records to tables: which column is what, one file or many, aligned text, rows of a program."""
