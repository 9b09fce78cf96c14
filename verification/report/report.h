/* The report of `shoal verify` for people: one HTML file with its figures inside. */
#ifndef SHOAL_REPORT_H
#define SHOAL_REPORT_H

#include "core/base/err.h"

/* Reads results.tsv, runs.tsv, environment.tsv and data/ of the folder, draws what they hold by
 * gnuplot and writes report.html there, over an older one; the scripts that drew the figures stay
 * in figures/, instead of those of an older one. Without gnuplot, with data missing or where
 * gnuplot fails the report says so in the figure's place: that is no error, but a warning where it
 * is gnuplot's. Without results.tsv or runs.tsv there is no report; the other two may be absent. */
enum err report_write(const char *folder);

#endif
