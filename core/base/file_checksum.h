/* A checksum in a file's last line, which shows whether the content before it is intact before any
 * library trusts it. Readers of netCDF-4 files ignore the line. */
#ifndef SHOAL_FILE_CHECKSUM_H
#define SHOAL_FILE_CHECKSUM_H

/* Appends it to a complete file. `about`: what else must be unchanged at the check, such as the
 * name by which the file is found; "" for nothing. Returns 0 or errno. */
int checksum_append(const char *path, const char *about);

enum checksum {
    CHECKSUM_GOOD,
    CHECKSUM_MISSING,    /* the file never had one, or is truncated */
    CHECKSUM_WRONG,      /* the content has changed */
    CHECKSUM_UNREADABLE, /* errno says why */
};
enum checksum checksum_check(const char *path, const char *about);
enum checksum checksum_check_open(int fd, const char *about);

#endif
