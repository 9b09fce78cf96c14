/* Shared by the parts of the database check. */
#ifndef SHOAL_DB_CHECK_PARTS_H
#define SHOAL_DB_CHECK_PARTS_H

#include "core/db/tuning_db.h"

struct check {
    const char *folder;
    char path[PATH_LENGTH];
    struct db_place place;
    struct db_manifest manifest; /* of the place's environment; empty: it cannot be read */
    char manifest_of[2 * DB_NAME + 2], why[512]; /* that environment; why it cannot be read */
    db_report *report;
    void *context;
    struct db_checked *sum;
};

/* Reports a fault of the file being checked; line 0 is the whole file. */
void check_fault(struct check *c, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Removes the line's end; false if it has none. */
int check_chomp(char *text);

typedef void check_line(struct check *c, int line, char *text, void *state);
void check_lines(struct check *c, check_line *check, void *state);

/* Does the manifest define a row's flags (NULL: skips that) and session? */
void check_references(struct check *c, int line, const char *flags, const char *session);

void check_free_table(struct check *c);

/* Checks each measurement of the manifest's environment against its record, and the records against
 * each other. */
void check_records(struct check *c);

#endif
