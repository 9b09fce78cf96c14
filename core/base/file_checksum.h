/* A file's last line, which tells whether all before it is as it was written: known before any library
 * trusts the content. Readers of netCDF-4 files ignore it. */
#ifndef SHOAL_FILE_CHECKSUM_H
#define SHOAL_FILE_CHECKSUM_H

/* Appends it to a complete file. `about`: what else must be the same when it is checked, such as the name
 * that the file is found by; "" for nothing. 0, or errno. */
int checksum_append(const char *path, const char *about);

enum checksum {
    CHECKSUM_GOOD,
    CHECKSUM_MISSING,    /* the file never had one, or was cut short */
    CHECKSUM_WRONG,      /* the content has changed since */
    CHECKSUM_UNREADABLE, /* errno says why */
};
enum checksum checksum_check(const char *path, const char *about);
enum checksum checksum_check_open(int fd, const char *about);

#endif
