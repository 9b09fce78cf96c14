/* --gauge and --gauges: gauges from the command line and from a file. */
#ifndef SHOAL_GAUGE_OPTION_H
#define SHOAL_GAUGE_OPTION_H

#include "core/options/run_config.h"
#include "core/mesh/gauge_list.h"
#include "core/mesh/grid.h"

/* The gauges of a run on a grid: those of --gauge, then those of the --gauges file. Fails with
 * ERR_USAGE or ERR_INPUT and a message that names gauge, file and line. Free with gauges_free, also
 * after a failure. */
enum err gauges_read(const struct config *c, const struct grid_info *g, struct gauge_list *list);
void gauges_free(struct gauge_list *list);

/* Fails unless this name, of this many bytes, is allowed for a gauge (or for whatever `what` says). */
enum err gauge_check_name(const char *what, const char *name, size_t length);

#endif
