/* Shared by the writers of export formats. */
#ifndef SHOAL_EXPORT_PARTS_H
#define SHOAL_EXPORT_PARTS_H

#include <stdio.h>

#include "core/db/tuning_db.h"

/* What is written: rows that compete, and where they were measured. */
struct exported {
    const struct kernel *kernel;
    enum backend_kind backend;
    const struct db_place *place;
    const struct db_manifest *manifest;
    const struct db_group *group;
    const char *device, *flags; /* as the driver names it; the text of the flags */
};

/* A writer prints to memory, so that it need not check for disk errors. */
typedef enum err export_writer(FILE *f, const struct exported *x);
export_writer export_kernel_tuner, export_t4, export_t1;

/* The line that begins a file of wisdom, and the winner's. */
void export_wisdom_head(FILE *f, const struct exported *x);
enum err export_wisdom(FILE *f, const struct exported *x);

/* kernel_launcher's name for a kernel with a precision and flags; also the file's name. */
enum { EXPORT_KEY = DB_NAME + DB_VALUE + 16 };
void export_wisdom_key(const struct exported *x, char key[EXPORT_KEY]);

/* A text in quotes, escaped; invalid UTF-8 becomes a question mark. */
void export_text(FILE *f, const char *text);

/* "shoal": {...}: where the numbers are from, as texts. */
void export_provenance(FILE *f, const struct exported *x);

/* An entry of the row's session in the manifest: started, commit. */
enum err export_session(const struct exported *x, const struct db_row *row, const char *name,
                        const char **value);

/* us as ms; the cost of a row, 0 if unknown. */
double export_ms(double us);
double export_cost(const struct db_row *row, enum db_number cost);

/* Columns that are not part of the formats, and that all ok rows of a group have, so that readers
 * find the same members in each. The first of them from `k` on; DB_NUMBERS at the end. */
int export_column(const struct db_group *g, int k);

#endif
