/* Questions about the rows of an experiment's tables: median(...), count(...), where_least(...). */
#ifndef SHOAL_FACTS_QUERY_H
#define SHOAL_FACTS_QUERY_H

#include "plots/data/facts.h"

enum { WHY_LENGTH = 256 };

/* What can be asked, and why the first thing that is not known is not; "" before. */
struct asked {
    const struct facts *facts;
    const struct plot_tables *tables;
    char why[WHY_LENGTH];
};

const struct fact *facts_find(const struct facts *f, const char *name, size_t length);

/* What stands in the brackets of a function: `inside`, "COLUMN | conditions" or, of where_least and
 * where_most, "COLUMN: BY | conditions". Fails with ERR_USAGE where it cannot be read. */
enum err facts_query(struct asked *a, const char *function, const char *inside, struct value *v);

#endif
