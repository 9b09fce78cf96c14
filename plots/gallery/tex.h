/* Text in LaTeX. */
#ifndef SHOAL_TEX_H
#define SHOAL_TEX_H

#include <stdio.h>

/* Text (UTF-8) that LaTeX prints as it is: its special characters escaped, quotes turned round words,
 * hyphens that follow each other kept apart, mathematical signs set. */
void tex_text(FILE *out, const char *s);

/* The same for code, whose quotes stay straight; line ends and the blanks that follow become one blank. */
void tex_code(FILE *out, const char *s);

#endif
