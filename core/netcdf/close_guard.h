/* While netCDF closes a file: HDF5 (seen: 1.10.8) crashes where the disk refuses its last bytes. The process
 * then ends as it does after any other write that failed. tests/run/test_faults.c does not pass without. */
#ifndef SHOAL_CLOSE_GUARD_H
#define SHOAL_CLOSE_GUARD_H

/* From now on a crash ends the process with the status of ERR_MACHINE, a message about `path` and no temporary files. */
void ncguard_begin(const char *path);

/* The file is closed: a crash is a crash again. A file that could not be closed stays in the library, which
 * tries again when the process ends: then this is not called. */
void ncguard_end(void);

#endif
