/* From a report in Markdown to a page for a browser. */
#ifndef SHOAL_MARKDOWN_PAGE_H
#define SHOAL_MARKDOWN_PAGE_H

#include <stdio.h>

#include "core/base/err.h"

/* Writes STEM.md: `print` writes, and its error is returned; then STEM.html from it, in the style
 * of plots/page.css. With `whole` the page is a single file that contains its drawings, SVG and
 * PNG; otherwise it refers to files beside it. HTML in the Markdown stays text. Headings get the
 * ids of markdown_anchor; one of level 4 and below starts a section that folds. Without the library
 * md4c there is no page, an earlier one is deleted, and a warning names the package: that is not an
 * error. */
enum err markdown_report(const char *stem, int whole,
                         enum err (*print)(FILE *f, const void *context), const void *context);

#endif
