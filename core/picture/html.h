/* Text in HTML. */
#ifndef SHOAL_HTML_H
#define SHOAL_HTML_H

#include <stdio.h>

/* Text with <, >, &, and quotes escaped. */
void html_text(FILE *out, const char *s);

#endif
