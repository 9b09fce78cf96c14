/* From a report in Markdown to a page for a browser. */
#ifndef SHOAL_MARKDOWN_PAGE_H
#define SHOAL_MARKDOWN_PAGE_H

#include <stdio.h>

#include "core/base/err.h"

/* Writes STEM.md: `print` writes, and its error is this one's; then STEM.html of it, in the style of plots/page.css.
 * With `whole` its drawings, SVG and PNG, are within the page, which is then a single file; else it shows those beside it.
 * HTML in the Markdown stays text. Headings get the ids that markdown_anchor says; one of level 4 and below begins
 * what can be folded. Where the library md4c is missing there is no page, an earlier one is deleted, and a
 * warning names the package: that is no error. */
enum err markdown_report(const char *stem, int whole,
                         enum err (*print)(FILE *f, const void *context), const void *context);

#endif
