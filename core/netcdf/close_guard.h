/* Guards the closing of netCDF files: HDF5 (seen: 1.10.8) crashes if the disk refuses the last
 * bytes. The process then ends as after any other failed write. tests/run/test_faults.c fails
 * without it. */
#ifndef SHOAL_CLOSE_GUARD_H
#define SHOAL_CLOSE_GUARD_H

/* From now on a crash ends the process with the status of ERR_MACHINE, a message about `path`, and
 * no temporary files left. */
void ncguard_begin(const char *path);

/* The file is closed: from now on a crash is a crash. A file that could not be closed stays in the
 * library, which tries again when the process ends: do not call this then. */
void ncguard_end(void);

#endif
