/* Text from files that a terminal shows as it is: UTF-8, and nothing that moves the cursor. */
#ifndef SHOAL_PRINTABLE_H
#define SHOAL_PRINTABLE_H

/* Puts '?' for each byte of anything else, in place; lines may end. */
void printable(char *text);

/* The length of the UTF-8 character that a text begins with: 0 if it is none, or one that is spelled longer
 * than need be. */
int utf8_length(const char *text);

/* Is it UTF-8? */
int is_utf8(const char *text);

/* Is it one line, and shown as it is? */
int is_printable_line(const char *text);

#endif
