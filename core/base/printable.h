/* Text from files that a terminal shows as it is: UTF-8, and nothing that moves the cursor. */
#ifndef SHOAL_PRINTABLE_H
#define SHOAL_PRINTABLE_H

/* Puts '?' for each byte of anything else, in place; lines may end. */
void printable(char *text);

/* Is it UTF-8? */
int is_utf8(const char *text);

#endif
