/* Makes text from files safe to print on a terminal: UTF-8, with nothing that moves the cursor. */
#ifndef SHOAL_PRINTABLE_H
#define SHOAL_PRINTABLE_H

/* Replaces every other byte by '?', in place; keeps line ends. */
void printable(char *text);

/* The length of the UTF-8 character at the start of a text: 0 if it is invalid or overlong. */
int utf8_length(const char *text);

/* Is it UTF-8? */
int is_utf8(const char *text);

/* Is it a single line that is safe to print? */
int is_printable_line(const char *text);

#endif
