/* Text that must not be in a database that others read. */
#ifndef SHOAL_PRIVATE_TEXT_H
#define SHOAL_PRIVATE_TEXT_H

enum { PRIVATE_ROOM = 512 };

/* Does a line identify a machine or a person: a path, a host's name, an address, a serial number?
 * If so `what` says so, and gives the remedy. */
int db_private(const char *line, char what[PRIVATE_ROOM]);

#endif
