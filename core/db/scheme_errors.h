/* How accurate schemes are beside the default one, from the rows of the experiment `accuracy`. */
#ifndef SHOAL_DB_SCHEME_ERRORS_H
#define SHOAL_DB_SCHEME_ERRORS_H

#include "core/db/row_origin.h"
#include "core/registry/scheme.h"

/* Reads errors in that precision, of runs at the Courant number that each scheme uses by itself; scheme_errors_free
 * releases them, also after a failure. */
struct scheme_errors;
enum err scheme_errors_read(struct db_view *v, const char *precision, struct scheme_errors **out);
void scheme_errors_free(struct scheme_errors *e);

/* A scheme's errors over those of the default scheme on the same cells: the geometric mean over the flows and sizes at
 * which both were measured. NAN if there is none. */
double scheme_errors_ratio(const struct scheme_errors *e, const struct scheme *s);

#endif
