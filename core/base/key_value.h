/* The syntax that run files and experiments share: "key = value" and comments that begin with #. */
#ifndef SHOAL_KEY_VALUE_H
#define SHOAL_KEY_VALUE_H

/* What follows the mark with which some editors begin a file of UTF-8. */
char *keyvalue_begin(char *text);

/* Takes blanks off both ends of a text, in place. */
char *keyvalue_trim(char *text);

/* Takes off, in place, a comment that is the whole text or follows a blank; then blanks, as above. */
char *keyvalue_uncomment(char *text);

/* Cuts a line at its first =, in place; the key without blanks around it, the value as it stands.
 * Returns 0 where there is no =. */
int keyvalue_split(char *line, char **key, char **value);

#endif
