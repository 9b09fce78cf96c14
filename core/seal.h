/* A file's last line, which tells whether all before it is as it was written: known before any library
 * trusts the content. Readers of netCDF-4 files ignore it. */
#ifndef SHOAL_SEAL_H
#define SHOAL_SEAL_H

/* Appends it to a complete file. 0, or errno. */
int seal_file(const char *path);

enum seal {
    SEAL_GOOD,
    SEAL_MISSING,    /* the file never had one, or was cut short */
    SEAL_WRONG,      /* the content has changed since */
    SEAL_UNREADABLE, /* errno says why */
};
enum seal seal_check(const char *path);

#endif
