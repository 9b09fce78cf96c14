/* A file that appears complete or not at all: written under another name in the same folder, then
 * renamed. */
#ifndef SHOAL_OUTPUT_FILE_H
#define SHOAL_OUTPUT_FILE_H

#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/base/paths.h"

struct outfile {
    char *path, *temporary; /* `temporary` is what to write to */
};

/* Fails with ERR_USAGE if `path` cannot be an output: it is a folder, a device or the like,
 * write-protected, in a system folder, this process's stdout, or an input
 * (core/base/input_files.h). */
enum err outfile_check(const char *path);

/* The same, and returns the file that `path` stands for: the target of a link, which need not exist
 * yet. */
enum err outfile_find_place(const char *path, char place[PATH_LENGTH]);
enum err outfile_resolve(const char *path, char place[PATH_LENGTH]); /* checks links only */

/* Creates an empty temporary file beside what `path` stands for; follows links. Fails with
 * ERR_USAGE if the file could never be put in place: as above, or no such folder, or no permission.
 * Ends with outfile_publish or outfile_discard; both free what the struct holds. */
enum err outfile_create(struct outfile *f, const char *path);

/* Waits until the data are on the disk: some file systems report a full disk only then. */
enum err outfile_flush(const struct outfile *f);

/* The same, then moves the file into place, over an older one. On failure the older one is
 * untouched and the temporary file deleted. */
enum err outfile_publish(struct outfile *f);

/* The same for a file written by other means, which stays where it is on failure. */
enum err outfile_move(const char *written, const char *path);

/* Deletes the temporary file. Accepts a zeroed or finished struct. */
void outfile_discard(struct outfile *f);

/* The error for a write that failed with `error` (errno, 0 if unknown): the message says that the
 * disk is full, or gives `reason`; and what to do. */
enum err outfile_failed(const struct outfile *f, int error, const char *reason);

/* The same, when `path` would be made from something at, or in, `beside`. */
enum err outfile_cannot(const char *path, const char *beside, int error, const char *reason);

/* Why no more can be written, as errno, or 0: a library whose write failed may have lost errno.
 * Discard the temporary file afterwards. */
int outfile_refusal(const struct outfile *f);

/* As outfile_create, with a stream to write to; ends with outfile_close, which publishes a complete
 * file and discards any other. */
enum err outfile_open(struct outfile *f, const char *path, FILE **stream);
enum err outfile_close(struct outfile *f, FILE *stream);

/* Writes a whole file: `print` writes, and need not check for errors. */
enum err outfile_print(const char *path, void (*print)(FILE *f, const void *context),
                       const void *context);

/* Creates a file with a new name, which outfile_delete_temporaries deletes unless it is forgotten
 * first. Returns a descriptor, or -1 and sets errno. Thread safe, as are the next two. */
int outfile_make(const char *path, mode_t mode);

/* Registers in the same way a file made by other means, now or later, or a folder, which is deleted
 * if it is empty. */
void outfile_remember(const char *path);
void outfile_forget(const char *path);

/* Deletes all temporary files that exist. For a signal handler that ends the process: waits for
 * threads that are creating one, then calls only unlink and rmdir; no new one is created
 * afterwards. */
void outfile_delete_temporaries(void);

#endif
