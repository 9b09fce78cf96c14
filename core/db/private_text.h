/* Text that must not be in a database others will read. */
#ifndef SHOAL_PRIVATE_TEXT_H
#define SHOAL_PRIVATE_TEXT_H

enum { PRIVATE_ROOM = 512 };

/* Does a line hold what identifies a machine or a person: a path, a host's name, an address, a
 * serial number? If so `what` says so, and what to do. */
int db_private(const char *line, char what[PRIVATE_ROOM]);

#endif
