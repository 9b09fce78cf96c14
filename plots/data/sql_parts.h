/* Shared by the files for SQLite. */
#ifndef SHOAL_SQL_PARTS_H
#define SHOAL_SQL_PARTS_H

struct sqlite3;

/* median(x) and quantile(x, share), as aggregates and over windows; one of SQLite's codes. */
int sql_functions_add(struct sqlite3 *db);

/* The message for the query that SQLite has just rejected. */
enum { SQL_MESSAGE = 3000 };
void sql_explain(struct sqlite3 *db, const char *query, char text[SQL_MESSAGE]);

#endif
