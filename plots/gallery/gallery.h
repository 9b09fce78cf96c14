/* The gallery: every figure and table from the database, on one page that needs only its folder. */
#ifndef SHOAL_GALLERY_H
#define SHOAL_GALLERY_H

#include "core/base/err.h"

/* Draws all experiments for each device, or for one (its folder's name in the database; "" for all),
 * and writes into FOLDER, which is created if need be:
 *   index.md index.html     the page; it links to what follows and loads nothing from elsewhere
 *   STEM.svg STEM.pdf       figures; STEM.png too where the experiment says `readme = yes`
 *   STEM.txt                tables
 *   data/STEM.tsv           what they were made from
 *   paper/                  facts, claims and tables for LaTeX (plots/gallery/paper.h)
 * tuning_db/README.md, *Queries*, says which environments of a device count. Writes what can be
 * written, prints a line of counts to stdout, and then fails with ERR_CHECK, each reason on stderr,
 * if db_check finds faults, gnuplot cannot draw a figure, a device has only some of an experiment's
 * points, a file is malformed, or (all devices) no device has an experiment's rows and its file
 * does not say why. The same database gives the same bytes. */
enum err gallery_write(const char *folder, const char *device);

#endif
