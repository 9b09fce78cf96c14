/* The syntax of run files and experiments: "key = value", and comments that begin with #. */
#ifndef SHOAL_KEY_VALUE_H
#define SHOAL_KEY_VALUE_H

/* Skips the byte order mark that some editors put before UTF-8. */
char *keyvalue_begin(char *text);

/* Trims blanks from both ends of a text, in place. */
char *keyvalue_trim(char *text);

/* Removes, in place, a comment that is the whole text or follows a blank; then trims, as above. */
char *keyvalue_uncomment(char *text);

/* Splits a line at its first =, in place; trims the key and leaves the value as it is. Returns 0 if
 * there is no =. */
int keyvalue_split(char *line, char **key, char **value);

#endif
