/* A flux in a scheme of first order along a row of cells: depths, and a dam break. */
#ifndef SHOAL_FLUX_ROWS_H
#define SHOAL_FLUX_ROWS_H

#include "core/registry/plugin.h"
#include "verification/contracts/contract.h"

enum err ask_rows(const struct plugin *flux, struct remarks *r);

#endif
